import type { Post } from '../../../api/records.ts'
import { hasSeveralPosts, readPostCommand } from '../../../post-command/read-post-command.ts'
import type { PostCommand, PostTime } from '../../../post-command/remove-fields.ts'
import { NOW_LEAD_MS, type ReadingContext } from '../../../time/reading.ts'
import type { Prefill } from '../../forms/field.ts'
import { firstValue } from '../../forms/fields.ts'
import type { Form } from '../../forms/form.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { type Outcome, refuseField, toOutcome } from '../../forms/outcome.ts'
import type { Request } from '../../slack/feature.ts'
import { type Choice, context as contextBlock } from '../../slack/message-blocks.ts'
import { accessForModal } from '../../slack/permissions.ts'
import type { SlackFile } from '../../slack/slack-file.ts'
import {
  asksForApproval,
  needsApproval,
  queueApprovalUpdate,
  requestApproval,
  TO_APPROVE,
} from '../approvals/approval-store.ts'
import type { TemplateReference } from '../projects/list-templates.ts'
import { findSlotWords } from '../slots/slot-words.ts'
import { explainEditing } from './display/post-menu.ts'
import { savedPostReply } from './display/post-reply.ts'
import { HELD, isHeld, publicationTime, stateOf, TOO_SOON_TO_APPROVE } from './display/post-states.ts'
import { findSentPost } from './find/find-sent-post.ts'
import { toPost } from './find/project-posts.ts'
import { POST_FORM, TEXT_FIELD_NAMES, toFormValues, unavailableStates } from './form/post-form.ts'
import {
  DELETED_UPLOAD,
  isDeletedUpload,
  type PostInput,
  rememberUpload,
  splitByText,
  toPostBody,
} from './form/post-input.ts'
import { isHoldingChannel } from './holding-channel-store.ts'
import { followPost, queueOverdueCheck } from './messages/follow-post.ts'
import { queueMessageUpdates } from './messages/post-message-store.ts'
import { rememberMessage } from './messages/remember-message.ts'
import { reserveSlotForItem } from './slots/reserve-slot.ts'

const ACCESS = accessForModal('write', 'Schedule a post')

export const schedulePost: Form = defineForm<PostInput, Post>({
  ...POST_FORM,
  verb: 'schedule',
  command: '/schedule-post',
  usage: '[Launch day! tomorrow 9am on LinkedIn and X]',
  help: 'Schedule a post. Anything you type after the command fills in the form.',
  title: 'Schedule a post',
  submitLabel: ({ Status }) => stateOf({ Status: firstValue(Status) }).submitLabel ?? 'Schedule',
  permission: 'write',
  canNotifyChannel: true,
  // If the service takes only one text for all platforms, a form whose text varies by platform schedules several posts.
  hiddenFields: (bot) => POST_FORM.hiddenFields(bot).filter((name) => !TEXT_FIELD_NAMES.includes(name)),
  // If the service can change posts, there is no need to hold them.
  unavailableOptions: (user, { values }) =>
    unavailableStates(user, values, user.bot.extensions.current.canChangePosts ? [HELD] : []),
  shortcuts: [
    { type: 'global', callback_id: 'schedule_post' },
    { type: 'message', callback_id: 'schedule_as_post' },
  ],
  actions: {
    'prompt:use': { access: ACCESS, run: openWithPrompt },
    'templates:use': { access: ACCESS, run: openWithTemplate },
  },
  prefill: (text, context) => {
    const { slot, command } = readCommand(text, context)
    const { content, otherWhen, platforms, media, isDraft, messages } = command
    const when = slot ?? command.when
    const values = {
      Content: content,
      ScheduleDate: otherWhen ? undefined : when?.words,
      Platforms: platforms,
      Media: media,
      Status: isDraft ? 'DRAFT' : 'SCHEDULED',
    }
    const movableTimes = [when ?? [], otherWhen ?? []]
      .flat()
      .filter(({ segment }) => segment)
      .map((time) => ({
        ...time,
        field: 'Content',
        target: 'When',
        following: content.length - time.position - (time.isInText ? time.segment.length : 0),
      }))
    const question = `Schedule for ${movableTimes.map(({ words }) => `"${words}"`).join(' or ')}? The other stays in the text.`
    return {
      values,
      messages,
      movedWords: otherWhen ? undefined : movableTimes[0],
      wordsToChoose: otherWhen && { field: 'ScheduleDate', question, choices: movableTimes },
    }
  },
  loadDefaults: async ({ bot, actor: { team_id, channel_id = '' } }, values) => {
    const canHold = values.Status === 'SCHEDULED' && !bot.extensions.current.canChangePosts
    return canHold && (await isHoldingChannel(bot.db, { team_id, channel_id })) ? { Status: HELD } : {}
  },
  send: async (input, context) => {
    const { bot, actor, project, deadline, wasHeld, batch_id } = context
    const { request_id, team_id } = actor
    if (await isDeletedUpload(bot, team_id, input.Media)) return refuseField('Media', DELETED_UPLOAD)
    const entered = toPostBody(bot, input)
    const scope = { team_id, project_id: project.Id }
    // A post that needs approval isn't sent before it is approved.
    const mustAsk = await needsApproval(bot.db, scope, { item_id: request_id, body: entered })
    const body = mustAsk ? { ...entered, Status: TO_APPROVE } : entered
    if (mustAsk && !wasHeld && +publicationTime(body) - +bot.runtime.now() <= NOW_LEAD_MS)
      return refuseField('ScheduleDate', TOO_SOON_TO_APPROVE)
    const { hold } = stateOf(body)
    const outcome: Outcome<Post> = hold
      ? {
          kind: 'done',
          // A waiting post has the id of its item in the outbox, which is also the id of the request.
          result: toPost({ id: request_id, body }),
          held: { ...hold(body), ...(mustAsk && { body }) },
        }
      : toOutcome(await bot.api.posts.create(project.Id, body, { deadline, request_id }))
    if (outcome.kind === 'done' && !wasHeld) await rememberUpload(bot, actor, input)
    if (outcome.kind === 'done' && !hold) await queueOverdueCheck(outcome.result, context)
    // The outbox doesn't confirm a post that was held, so its author has no message that shows where it's published.
    if (outcome.kind === 'done' && wasHeld && !hold && !batch_id)
      await followPost(outcome.result, context).catch((err) =>
        bot.log.error(
          { err, post: outcome.result.Id },
          'Failed to queue a message about a post to its author',
        ),
      )
    return outcome
  },
  creation: {
    findExisting: findSentPost,
    reserve: reserveSlotForItem,
    // The messages about a post that was held must be updated, because they show whether the post was sent.
    onItemChange: async (db, item, now) => {
      const { id: post_id, team_id, project_id, user_id, held_until, body } = item
      if (held_until) await queueMessageUpdates(db, { team_id, project_id, post_id }, now)
      if (item.state === 'held' && body && asksForApproval(body))
        await requestApproval(db, item, { changed_by: user_id }, now)
      else if (held_until) await queueApprovalUpdate(db, { item_id: post_id, team_id }, now)
    },
    holding: {
      isHeld: isHeld,
      release: (input) => {
        const body = { ...input, Status: 'SCHEDULED' }
        // If nobody has approved the post, the form for a new time asks for approval again.
        const entered = asksForApproval(input) ? input : body
        return { body, form_values: toFormValues(toPost({ id: '', body: entered })) }
      },
    },
    split: ({ extensions }, input) => ({
      parts: (extensions.current.supportsPlatformText ? [input] : splitByText(input)).map((body) => {
        const { AltText } = input
        return {
          body,
          form_values: { ...toFormValues(toPost({ id: '', body })), ...(AltText && { AltText }) },
        }
      }),
      reason: "The scheduling service can't vary a post's text by platform.",
    }),
    getLatestSendTime: ({ ScheduleDate, Status }) =>
      ScheduleDate && Status !== 'DRAFT' ? new Date(ScheduleDate) : undefined,
  },
  successReply: (post, context) => {
    const note = explainEditing(context.bot, post)
    const title = stateOf(post).title ?? 'Scheduled in'
    return savedPostReply(title, post, context, ...(note ? [contextBlock(note)] : []))
  },
  onPosted: rememberMessage,
  followUp: followPost,
})

/** A free slot in the command counts only if the command has no other time. */
function readCommand(text: string, context: ReadingContext): { slot?: PostTime; command: PostCommand } {
  const found = findSlotWords(text)
  const command = found && readPostCommand(found.before + found.after, context)
  if (!command || command.when) return { command: readPostCommand(text, context) }
  const { words } = found
  const before = found.before.trim()
  const position = command.content.startsWith(before) ? before.length : 0
  return {
    slot: { words, segment: position ? ` ${words}` : `${words} `, position, isInText: false },
    command,
  }
}

/** A plan that was pasted, or is in a file. */
export type PlanInput = { text: string } | { file: SlackFile }

export type OpenPlan = (request: Request, plan: PlanInput) => Promise<void>

const PLAN_FILE = /\.(?:csv|tsv)$/i

/** Schedules one post, or opens a plan: several lines with times, or a CSV file. */
export const schedulePostOrPlan = (openPlan: OpenPlan): Form => ({
  ...schedulePost,
  run: async (request) => {
    const { viewer, text, messageFiles } = request
    const [file] = messageFiles
    if (file && PLAN_FILE.test(file.name)) return openPlan(request, { file })
    // Several lines with an attached file are one post, because the posts of a plan have no files.
    const isPlan = !file && hasSeveralPosts(text, viewer)
    return isPlan ? openPlan(request, { text }) : schedulePost.run(request)
  },
})

function openWithPrompt(request: Request): Promise<void> {
  const { project_id, ...PromptId }: { project_id: string } & Choice = JSON.parse(request.text)
  return openForm(schedulePost, { ...request, text: '' }, { project_id, values: { PromptId } })
}

/** Shows the form's fields only once the template's text is loaded, because that text would replace the user's input. */
async function openWithTemplate(request: Request): Promise<void> {
  const { project_id, template_id, channel }: TemplateReference = JSON.parse(request.text)
  const { bot, actor } = request
  const loadValues = async (): Promise<Prefill> => {
    const result = await bot.api.templates.get(project_id, template_id)
    if (result.kind !== 'ok') return { failure: result }
    const { Content, Title = template_id } = result.data
    return { values: { Content, TemplateId: { value: template_id, label: Title } } }
  }
  const inChannel = { ...actor, channel_id: actor.channel_id ?? channel }
  await openForm(schedulePost, { ...request, actor: inChannel, text: '' }, { project_id, loadValues })
}
