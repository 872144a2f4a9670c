import { z } from 'zod'
import type { PlatformResult } from '../../../api/field-readers.ts'
import type { Account, Post } from '../../../api/records.ts'
import type { ApiResult } from '../../../api/result.ts'
import { isPlatform, type Platform, platformName } from '../../../platforms/platform-names.ts'
import { listWords } from '../../../time/describe.ts'
import { isConnected } from '../../slack/connected-platforms.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { type Button, buttonRow, escapeText, section, textReply } from '../../slack/message-blocks.ts'
import { WRITE_ACCESS } from '../../slack/permissions.ts'
import { describeChanges, findUnseenChanges } from './change/held-changes.ts'
import { latestTimeOf, setResults } from './change/set-results.ts'
import { postBlocks } from './display/post-blocks.ts'
import { PostReference } from './display/post-reference.ts'
import { accountLabel, failedResults, unconnectedResults, unknownResults } from './display/post-results.ts'
import { loadPost } from './find/load-post.ts'
import { postAction, withChosenPost } from './find/post-actions.ts'
import { readPost } from './find/read-post.ts'

const RetryDecision = PostReference.extend({
  State: z.enum(['PUBLISHING', 'PUBLISHED']),
  Platforms: z.array(z.string()),
  /** The latest time among the results that the user saw for these platforms. */
  at: z.string(),
  /** The connected accounts that the user was shown, if one differs from the account in the results. */
  account_ids: z.array(z.string()).optional(),
})
type RetryDecision = z.output<typeof RetryDecision>

const RETRY_ACTION = 'retry:post'
const RESEND_ACTION = 'retry:unknown'
const CONFIRM_ACTION = 'retry:out'

export const retryPost: Feature = {
  verb: 'retry',
  usage: '[words or a date]',
  help: 'Publish a post again on the platforms where it failed.',
  access: WRITE_ACCESS,
  run: withChosenPost('Which post do you want to publish again?', showProblems, {
    isRecent: true,
    isOffered: (post) => failedResults(post).length + unknownResults(post).length > 0,
  }),
  actions: {
    'retry:ask': postAction(WRITE_ACCESS, showProblems),
    [RETRY_ACTION]: { access: WRITE_ACCESS, run: applyDecision },
    [RESEND_ACTION]: { access: WRITE_ACCESS, run: applyDecision },
    [CONFIRM_ACTION]: { access: WRITE_ACCESS, run: applyDecision },
  },
}

const NO_PROBLEM = "This post hasn't failed on any platform."
const CHANGED =
  'This button is out of date, because the post has changed. Use `/upnext retry` to see what you can do now.'

/** Explains that a waiting change blocks a retry, which would publish the text that the change corrects. */
async function explainWaitingChanges({ bot, actor }: Request, reference: PostReference): Promise<string> {
  const changes = await findUnseenChanges(bot.db, actor.team_id, reference)
  return changes.length
    ? `${escapeText(describeChanges(changes))} Decide on ${changes.length > 1 ? 'them' : 'it'} with \`/upnext approve\`, or edit the post.`
    : ''
}

async function showProblems(request: Request, reference: PostReference): Promise<void> {
  const { viewer, reply } = request
  const found = await loadPost(request, reference, { mayBePublished: true })
  if (!found) return
  const explanation = await explainWaitingChanges(request, reference)
  const mayPress = ({ action_id }: Button) => !explanation || action_id === CONFIRM_ACTION
  const rows = problemButtons(reference, found.post).flatMap((row) => buttonRow(...row.filter(mayPress)))
  if (!rows.length) return reply(textReply(explanation || NO_PROBLEM))
  await reply({ text: 'Publish this post again?', blocks: [...postBlocks(found.post, viewer), ...rows] })
}

/**
 * The buttons for a post with failed or unknown results. If several results are unknown, each has a row of its own,
 * because the post may be out on only some of those platforms.
 */
export function problemButtons(reference: PostReference, post: Post): Button[][] {
  const [failed, unknown] = [failedResults(post), unknownResults(post)]
  const value = (State: RetryDecision['State'], results: PlatformResult[]) =>
    toDecision(reference, State, results)
  const retry: Button = { action_id: RETRY_ACTION, label: 'Try again', value: value('PUBLISHING', failed) }
  const decisions = unknown.map((result): Button[] => {
    const name = platformName(result.Platform)
    const where = unknown.length > 1 ? ` on ${name}` : ''
    const confirmation = `The post may be out on ${name} already. Check there first, or it may appear twice.`
    return [
      { action_id: CONFIRM_ACTION, label: `It's out${where}`, value: value('PUBLISHED', [result]) },
      {
        action_id: RESEND_ACTION,
        label: `Publish again${where}`,
        value: value('PUBLISHING', [result]),
        confirmation,
      },
    ]
  })
  const edit: Button = { action_id: 'edit:ask', label: 'Edit', value: JSON.stringify(reference) }
  const others = [...(failed.length ? [retry] : []), ...(post.Status === 'FAILED' ? [edit] : [])]
  return decisions.length === 1 ? [[...others, ...decisions.flat()]] : [others, ...decisions]
}

/** A button that publishes a post on platforms where it was only marked as published. */
export const publishButton = (reference: PostReference, results: PlatformResult[]): Button => ({
  action_id: RETRY_ACTION,
  label: 'Publish now',
  value: toDecision(reference, 'PUBLISHING', results),
  confirmation: 'If someone has already published this post by hand, it will appear twice.',
})

function toDecision(
  reference: PostReference,
  State: RetryDecision['State'],
  results: PlatformResult[],
): string {
  const Platforms = results.map(({ Platform }) => Platform)
  return JSON.stringify({ ...reference, State, Platforms, at: latestTimeOf(results) } satisfies RetryDecision)
}

async function applyDecision(request: Request): Promise<void> {
  const decision = RetryDecision.parse(JSON.parse(request.text))
  const { State, Platforms, at, account_ids = [], ...reference } = decision
  const found = await loadPost(request, reference, { mayBePublished: true })
  if (!found) return
  let platforms = Platforms.filter(isPlatform)
  const { Results = [] } = found.post
  const currentResults = Results.filter(({ Platform }) => Platforms.includes(Platform))
  // The button may be old: the post may have been edited or retried since.
  if (latestTimeOf(currentResults) !== at) return request.reply(textReply(CHANGED))
  if (State === 'PUBLISHING') {
    const explanation = await explainWaitingChanges(request, reference)
    if (explanation) return request.reply(textReply(explanation))
    const listed = await request.bot.api.accounts.list(reference.project_id)
    if (listed.kind !== 'ok') return replyWithFailure(request, listed, { isReadOnly: true })
    const accounts = listed.data.items
    const others = currentResults.flatMap((result) => findOtherAccount(accounts, result) ?? [])
    if (!others.every(({ Id = '' }) => account_ids.includes(Id)))
      return askAboutAccounts(request, decision, accounts.filter(isConnected))
    const connectedPlatforms = selectConnectedPlatforms(platforms, accounts.filter(isConnected))
    // If none is connected, the service's response explains the problem.
    if (connectedPlatforms.length) platforms = connectedPlatforms
  }
  const result = await setResults(request, reference, { Platforms: platforms, State, seen: currentResults })
  if (result.kind === 'rejected' && result.status === 412) return request.reply(textReply(CHANGED))
  if (result.kind === 'rejected' && result.status === 409)
    return request.reply(textReply(escapeText(result.message ?? NO_PROBLEM)))
  if (result.kind !== 'ok') return replyWithFailure(request, result, { isReadOnly: false })
  const skipped = Platforms.filter((platform) => !platforms.some((one) => one === platform)).map(platformName)
  const note = skipped.length ? ` No account is connected for ${listWords(skipped)}.` : ''
  await request.reply(textReply(describeRetry(State, platforms, result.data) + note))
}

/**
 * Finds the connected account of a result's platform, if it may not be the one that the post was meant for: the result's
 * own account, or if no account was connected then, one that already existed and is the only one.
 */
function findOtherAccount(
  accounts: Account[],
  { Platform, AccountId, At }: PlatformResult,
): Account | undefined {
  const candidates = accounts.filter((account) => account.Platform === Platform)
  const connected = candidates.find(isConnected)
  const { Id, CreatedAt } = connected ?? {}
  const isNewer = At && CreatedAt && new Date(CreatedAt) > new Date(At)
  return (AccountId ? Id !== AccountId : isNewer || candidates.length > 1) ? connected : undefined
}

const selectConnectedPlatforms = (platforms: Platform[], accounts: Account[]): Platform[] =>
  platforms.filter((platform) => accounts.some((account) => account.Platform === platform))

function askAboutAccounts({ reply }: Request, decision: RetryDecision, accounts: Account[]): Promise<void> {
  const affectedAccounts = accounts.filter(({ Platform = '' }) => decision.Platforms.includes(Platform))
  const text = `${ACCOUNT_CHANGED} The post would be published on ${formatAccounts(affectedAccounts)}.`
  const account_ids = affectedAccounts.flatMap(({ Id }) => Id ?? [])
  const value = JSON.stringify({ ...decision, account_ids } satisfies RetryDecision)
  const publish = { action_id: RESEND_ACTION, label: 'Publish there', value }
  return reply({ text, blocks: [section(text), ...buttonRow(publish)] })
}

export const ACCOUNT_CHANGED = 'A different account is connected now.'

export const formatAccounts = (accounts: Account[]): string =>
  escapeText(accounts.map(({ Platform = '', Name }) => accountLabel(Platform, Name)).join(', '))

type RetryOptions = {
  /** Whether a result is in the alert. */
  isSeen: (result: PlatformResult) => boolean
  /** The accounts that the user was asked about, because the posts were meant for others. */
  account_ids: string[]
}

/** The result of retrying one of an alert's posts, and the accounts that the user must be asked about first. */
type AlertRetry = { result: ApiResult<Post> | { kind: 'nothing failed' }; unseenAccounts: Account[] }

/** Retries an alert's post on the platforms that the user has seen in the alert. Sends nothing if there are none. */
export async function retryFailed(
  request: Request,
  reference: PostReference,
  { isSeen, account_ids }: RetryOptions,
): Promise<AlertRetry> {
  const { bot, actor } = request
  const withoutQuestion = (result: AlertRetry['result']): AlertRetry => ({ result, unseenAccounts: [] })
  const found = await readPost({ bot, team_id: actor.team_id }, reference)
  if (found.kind === 'failed') return withoutQuestion(found.failure)
  const changes = await findUnseenChanges(bot.db, actor.team_id, reference)
  if (changes.length) return withoutQuestion({ kind: 'nothing failed' })
  const post = found.kind === 'ok' ? found.data.post : undefined
  const seen = post ? [...failedResults(post), ...unconnectedResults(post)].filter(isSeen) : []
  const listed = await bot.api.accounts.list(reference.project_id)
  if (listed.kind !== 'ok') return withoutQuestion(listed)
  const accounts = listed.data.items
  const unseenAccountOf = (result: PlatformResult) => {
    const account = findOtherAccount(accounts, result)
    return account && !account_ids.includes(account.Id ?? '') ? account : undefined
  }
  const failed = seen.filter((result) => !unseenAccountOf(result))
  const Platforms = selectConnectedPlatforms(
    failed.map(({ Platform }) => Platform).filter(isPlatform),
    accounts.filter(isConnected),
  )
  const result = Platforms.length
    ? await setResults(request, reference, { Platforms, State: 'PUBLISHING', seen }, { hasAlert: true })
    : { kind: 'nothing failed' as const }
  return { result, unseenAccounts: seen.flatMap((one) => unseenAccountOf(one) ?? []) }
}

/** Names the accounts, because a platform may now be connected to a different one. */
function describeRetry(state: RetryDecision['State'], platforms: Platform[], { Results = [] }: Post): string {
  const accountOf = (platform: Platform) => Results.find((result) => result.Platform === platform)?.Account
  const names = platforms
    .map((platform) => escapeText(accountLabel(platform, accountOf(platform))))
    .join(', ')
  if (state === 'PUBLISHED') return `Marked as published on ${names}.`
  // If the response was lost, the post may already be out, or a colleague may have said so.
  const isOut = platforms.every((one) =>
    Results.some(({ Platform, State }) => Platform === one && State === 'PUBLISHED'),
  )
  return isOut ? `Published on ${names}.` : `Publishing on ${names} now.`
}
