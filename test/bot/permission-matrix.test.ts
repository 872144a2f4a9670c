import type { KnownBlock, ModalView } from '@slack/types'
import { WebClient } from '@slack/web-api'
import type { ClientMessage, InputValues } from 'local-slack'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MODULES } from '../../src/bot/features/index.ts'
import { listForms } from '../../src/bot/forms/form.ts'
import { listFeatures } from '../../src/bot/slack/feature.ts'
import { buttonRow } from '../../src/bot/slack/message-blocks.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { saveWebhook } from '../../src/service/stores/projects-store.ts'
import { insertSource, insertTemplate } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { fetchUnreachable, unreachableUrl } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const features = listFeatures(MODULES)
const forms = listForms(MODULES)

const MAY = undefined
const INACTIVE = 'Upnext is only for people with an active account in this workspace.'
const MEMBERS_ONLY = 'Upnext is only for members of this workspace. Ask one of them to do this for you.'
const EXTERNALS_VIEW =
  'People from other organizations have view-only access. Ask a member of this workspace to do this for you.'
const GUESTS_VIEW = 'Guests have view-only access. Ask a member of this workspace to do this for you.'
const ADMINS_ONLY = 'Only workspace owners and admins can do this. Ask one of them for help.'
const REFUSALS = [INACTIVE, MEMBERS_ONLY, EXTERNALS_VIEW, GUESTS_VIEW, ADMINS_ONLY]

/** What a row of the matrix is for: people who are asked to decide, everyone who uses Upnext, people who may write, or admins. */
type Level = 'decide' | 'view' | 'write' | 'admin'

type Refusals = Record<Level, string | undefined>

const may: Refusals = { decide: MAY, view: MAY, write: MAY, admin: MAY }
const mayWrite: Refusals = { decide: MAY, view: MAY, write: MAY, admin: ADMINS_ONLY }
const mayView: Refusals = { decide: MAY, view: MAY, write: GUESTS_VIEW, admin: ADMINS_ONLY }
const isOutsider: Refusals = { decide: MAY, view: MEMBERS_ONLY, write: MEMBERS_ONLY, admin: MEMBERS_ONLY }
const isViewingOutsider: Refusals = { decide: MAY, view: MAY, write: EXTERNALS_VIEW, admin: EXTERNALS_VIEW }
const isNobody: Refusals = { decide: INACTIVE, view: INACTIVE, write: INACTIVE, admin: INACTIVE }

type PersonRow = { byDefault: Refusals; ifPermissive: Refusals }

/** What each person is told at each level, by default and with GUESTS_MAY_WRITE and EXTERNAL_USERS_MAY_VIEW. */
const PERSONS: Record<string, PersonRow> = {
  owner: { byDefault: may, ifPermissive: may },
  admin: { byDefault: may, ifPermissive: may },
  member: { byDefault: mayWrite, ifPermissive: mayWrite },
  guest: { byDefault: mayView, ifPermissive: mayWrite },
  single_channel_guest: { byDefault: mayView, ifPermissive: mayWrite },
  external: { byDefault: isOutsider, ifPermissive: isViewingOutsider },
  external_admin: { byDefault: isOutsider, ifPermissive: isViewingOutsider },
  stranger: { byDefault: isOutsider, ifPermissive: isViewingOutsider },
  bot: { byDefault: isNobody, ifPermissive: isNobody },
  deactivated: { byDefault: isNobody, ifPermissive: isNobody },
}

type Ids = { project: string; otherProject: string; template: string; source: string; item: string }

const openForm = (title: string) =>
  new RegExp(`^(?=[\\s\\S]*"text":"${title}")(?=[\\s\\S]*"block_id":"project")`)

// The matrix. A row names an entry, the level it requires and the answer for people who may use it.

const COMMANDS: [command: string, level: Level, answer: RegExp][] = [
  ['/upnext', 'view', /Up next in Acme/],
  ['/upnext next', 'view', /Up next in Acme/],
  ['/upnext schedule', 'write', openForm('Schedule a post')],
  ['/schedule-post', 'write', openForm('Schedule a post')],
  ['/upnext week', 'view', /Acme: Mon 16 Nov/],
  ['/upnext month', 'view', /Acme: November 2026/],
  ['/upnext posts', 'view', /posts in Acme/i],
  ['/upnext find editable', 'view', /Posts in Acme/],
  ['/upnext edit', 'write', /"text":"Edit a post"|Which post|No matching post/],
  ['/upnext reschedule', 'write', /"text":"Reschedule a post"|Which post|No matching post/],
  ['/upnext cancel', 'write', /Cancel this post\?|Which post|No matching post/],
  ['/upnext retry editable', 'write', /has failed nowhere|No post was found/],
  ['/upnext alerts', 'view', /This channel gets/],
  ['/upnext alerts here', 'admin', /turned on alerts/],
  ['/upnext alerts off', 'admin', /turned off alerts|This channel gets no alerts/],
  ['/upnext accounts', 'admin', /Accounts of Acme/],
  ['/upnext preview editable', 'view', /Preview/],
  ['/upnext share editable', 'write', openForm('Share a post')],
  ['/upnext templates', 'view', /Templates in Acme/],
  ['/upnext prompt', 'write', openForm('Create a prompt')],
  ['/upnext invite', 'admin', openForm('Invite someone')],
  ['/invite-user', 'admin', openForm('Invite someone')],
  ['/upnext user', 'admin', openForm('Change a user')],
  ['/upnext people', 'admin', /People in Acme|Nobody was invited/],
  ['/upnext writers', 'admin', openForm('Writers')],
  ['/upnext digests', 'admin', /Everyone's digests|Nobody has set up/],
  ['/upnext source', 'write', openForm('Update a source')],
  ['/update-source', 'write', openForm('Update a source')],
  ['/upnext logs', 'view', /Activity log for Acme/],
  ['/list-logs', 'view', /Activity log for Acme/],
  ['/upnext audit', 'admin', /Audit trail/],
  ['/upnext status', 'admin', /Nothing is late/],
  ['/upnext import', 'write', openForm('Import a plan')],
  ['/upnext review', 'write', /There is no plan to review|\*1 post\* for Acme/],
  ['/upnext export', 'write', /the file is in your messages|No scheduled posts or drafts in Acme/],
  ['/upnext slots', 'write', openForm('Slots')],
  ['/upnext approval', 'admin', openForm('Approval')],
  ['/upnext approve', 'decide', /No posts are waiting for your approval/],
  ['/upnext outbox', 'view', /Your outbox/],
  ['/upnext media', 'view', /haven't uploaded anything/],
  ['/upnext digest', 'write', openForm('Channel digest')],
  ['/upnext digest now', 'view', /Up next in Acme|Digest for Acme/],
  ['/upnext digest list', 'view', /Digests in|has no digests/],
  ['/upnext digest every day at 7:01', 'write', /Digests in|already exists/],
  ['/upnext digest pause', 'write', /paused/],
  ['/upnext digest resume', 'write', /Digests in/],
  ['/upnext digest delete', 'write', /Deleted|There's no digest here|Which one/],
  ['/upnext projects', 'view', /Borealis/],
  ['/upnext use', 'view', /linked .* to \*Acme\*/],
  ['/upnext use Acme', 'write', /linked .* to \*Acme\*/],
  ['/upnext hold', 'view', /no need to hold posts/],
  ['/upnext hold on', 'admin', /no need to hold posts/],
  ['/upnext zone', 'view', /Your time zone is/],
  ['/upnext zone Lisbon', 'view', /Your time zone is now/],
  ['/upnext delete-webhook', 'admin', /Delete Acme's webhook\?/],
  ['/upnext delete-file', 'admin', /Delete the staged file\?/],
]

/** The posts of the matrix are scheduled for the same times. */
const withoutCollisions = (text: string): string =>
  text.replaceAll(/:warning: (?:Another post is already scheduled|Worth a look)/g, '')

/** Slack takes no message for someone who left, and no review once its modal is closed. */
const EXPECTED_PROBLEMS = ['chat.postEphemeral: user_not_in_channel', 'views.update: not_found']

type Value = (ids: Ids) => string | Promise<string>

const noValue: Value = () => ''
const project: Value = (ids) => ids.project
const page: Value = (ids) => JSON.stringify({ text: '', page: 0, project_id: ids.project })
const week: Value = (ids) => JSON.stringify({ kind: 'week', day: '2026-11-25', project_id: ids.project })
const slot: Value = (ids) =>
  JSON.stringify({ project_id: ids.project, at: '2027-11-25T09:00:00.000Z', platforms: ['X'] })
const post: Value = (ids) => JSON.stringify({ project_id: ids.project, post_id: crypto.randomUUID() })
const postVersion: Value = (ids) =>
  JSON.stringify({ project_id: ids.project, post_id: crypto.randomUUID(), etag: '"1"' })
const move: Value = (ids) =>
  JSON.stringify({
    ...{ project_id: ids.project, post_id: crypto.randomUUID(), etag: '"1"' },
    ...{ ScheduleDate: '2099-01-01T09:00:00Z', until: '2099-01-01T09:00:00Z' },
  })
const decision: Value = (ids) =>
  JSON.stringify({
    ...{ project_id: ids.project, post_id: crypto.randomUUID() },
    ...{ State: 'PUBLISHING', Platforms: ['X'], at: '' },
  })
const account: Value = (ids) => JSON.stringify({ project_id: ids.project, account_id: crypto.randomUUID() })
const template: Value = (ids) => JSON.stringify({ project_id: ids.project, template_id: ids.template })
const prompt: Value = (ids) => JSON.stringify({ project_id: ids.project, value: 'P1', label: 'Puns' })
const item: Value = (ids) => ids.item
const plan: Value = () => crypto.randomUUID()
const planPage: Value = () => JSON.stringify({ id: crypto.randomUUID(), page: 0 })
const planRow: Value = () => JSON.stringify({ id: crypto.randomUUID(), row: 1 })
const approval: Value = () => JSON.stringify({ id: crypto.randomUUID(), version: 'x' })
const expansion: Value = () => JSON.stringify({ id: crypto.randomUUID(), expanded: [] })

const ACTIONS: [action_id: string, level: Level, value: Value, answer: RegExp][] = [
  ['next:show', 'view', project, /Up next in Acme/],
  ['schedule:open', 'write', project, openForm('Schedule a post')],
  ['edit:ask', 'write', post, /no longer exists/],
  ['edit:duplicate', 'write', post, /no longer exists/],
  ['reschedule:ask', 'write', post, /no longer exists/],
  ['reschedule:undo', 'write', move, /no longer exists/],
  ['cancel:ask', 'write', post, /no longer exists/],
  ['cancel:confirm', 'write', postVersion, /already cancelled/],
  ['cancel:keep', 'write', post, /no longer exists/],
  ['retry:ask', 'write', post, /no longer exists/],
  ['retry:post', 'write', decision, /no longer exists/],
  ['retry:unknown', 'write', decision, /no longer exists/],
  ['retry:out', 'write', decision, /no longer exists/],
  ['alerts:dismiss', 'write', item, /has expired/],
  ['alerts:retry', 'write', item, /has expired/],
  ['accounts:check', 'admin', account, /no longer exists/],
  ['accounts:connect', 'admin', account, /no longer exists/],
  ['accounts:ask', 'admin', account, /no longer exists/],
  ['accounts:disconnect', 'admin', account, /no longer exists/],
  ['calendar:previous', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:today', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:next', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:back', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:more', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:fill', 'write', slot, openForm('Schedule a post')],
  ['calendar:day', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:switch', 'view', week, /Acme: Mon 23 Nov/],
  ['calendar:open', 'view', week, /Acme: Mon 23 Nov/],
  ['posts:show', 'view', project, /posts in Acme/i],
  ['posts:list', 'view', page, /Upcoming posts in Acme/],
  ['post:open', 'view', post, /no longer exists/],
  ['preview:show', 'view', post, /no longer exists/],
  ['share:ask', 'write', post, /no longer exists/],
  ['posts:back', 'view', page, /posts in Acme/i],
  ['posts:more', 'view', page, /posts in Acme/i],
  ['templates:show', 'view', project, /Templates in Acme/],
  ['templates:back', 'view', page, /Templates in Acme/],
  ['templates:more', 'view', page, /Templates in Acme/],
  ['templates:use', 'write', template, openForm('Schedule a post')],
  ['templates:preview', 'view', template, /Buy our lamp/],
  ['prompt:open', 'write', project, openForm('Create a prompt')],
  ['prompt:use', 'write', prompt, openForm('Schedule a post')],
  ['invite:open', 'admin', project, openForm('Invite someone')],
  ['user:open', 'admin', project, openForm('Change a user')],
  ['source:open', 'write', project, openForm('Update a source')],
  ['logs:show', 'view', project, /Activity log for Acme/],
  ['logs:back', 'view', page, /Activity log for Acme/],
  ['logs:more', 'view', page, /Activity log for Acme/],
  ['people:show', 'admin', project, /People in Acme|Nobody was invited/],
  ['people:back', 'admin', page, /People in Acme|Nobody was invited/],
  ['people:more', 'admin', page, /People in Acme|Nobody was invited/],
  ['digests:show', 'admin', noValue, /Everyone's digests|Nobody has set up/],
  ['digests:back', 'admin', page, /Everyone's digests|Nobody has set up/],
  ['digests:more', 'admin', page, /Everyone's digests|Nobody has set up/],
  ['writers:open', 'admin', project, openForm('Writers')],
  ['audit:show', 'admin', noValue, /Audit trail/],
  ['audit:back', 'admin', page, /Audit trail/],
  ['audit:more', 'admin', page, /Audit trail/],
  ['import:open', 'write', project, openForm('Import a plan')],
  ['slots:open', 'write', project, openForm('Slots')],
  ['approval:open', 'admin', project, openForm('Approval')],
  ['approval:approve', 'decide', approval, /nothing to decide anymore/],
  ['approval:approve-all', 'decide', approval, /has changed since you saw it/],
  ['approval:use', 'write', approval, /can't be edited anymore/],
  ['approval:refuse', 'decide', approval, /nothing to decide anymore/],
  ['plan:review', 'write', plan, /This plan can't be reviewed/],
  ['plan:back', 'write', planPage, /This plan can't be reviewed/],
  ['plan:more', 'write', planPage, /This plan can't be reviewed/],
  ['plan:fix', 'write', planRow, /This plan can't be reviewed/],
  ['plan:schedule', 'write', plan, /This plan can't be reviewed/],
  ['plan:drafts', 'write', plan, /This plan can't be reviewed/],
  ['plan:undo', 'write', plan, /too late to undo/],
  // The item belongs to someone else. Nobody can touch it, whatever their role.
  ['outbox:retry', 'view', item, /isn't in your outbox/],
  ['outbox:edit', 'view', item, /isn't in your outbox/],
  ['media:delete', 'write', noValue, /already deleted/],
  ['outbox:confirm', 'view', item, /isn't in your outbox/],
  ['outbox:discard', 'view', item, /isn't in your outbox/],
  ['digest:open', 'write', project, openForm('Channel digest')],
  ['digest:edit', 'write', createDigest, openForm('Channel digest')],
  ['digest:pause', 'write', createDigest, /paused/],
  ['digest:resume', 'write', createDigest, /Digests in/],
  ['digest:delete', 'write', createDigest, /Deleted/],
  [
    'digest:delete-all',
    'write',
    async () => {
      await createDigest()
      return upnext.now().toISOString()
    },
    /Deleted/,
  ],
  ['digest:expand:upcoming', 'view', expansion, /too old to expand/],
  ['digest:expand:published', 'view', expansion, /too old to expand/],
  ['digest:expand:drafts', 'view', expansion, /too old to expand/],
  ['digest:expand:problems', 'view', expansion, /too old to expand/],
  ['digest:expand:chart', 'view', expansion, /too old to expand/],
  ['zone:choose', 'view', () => 'Asia/Tokyo', /Asia\/Tokyo/],
  ['zone:forget', 'view', noValue, /from your Slack profile/],
  ...Array.from({ length: 10 }, (_, index): [string, Level, Value, RegExp] => [
    `use:link:${index}`,
    'write',
    project,
    /linked .* to \*Acme\*/,
  ]),
  ['project:choose', 'view', (ids) => ids.otherProject, /Borealis/],
  ['delete-webhook:confirm', 'admin', project, /Deleted Acme's webhook|Acme has no webhook/],
  ['delete-file:confirm', 'admin', () => 'file', /Deleted the staged file|no staged file/],
]

const SHORTCUTS: [callback_id: string, level: Level, answer: RegExp][] = [
  ['schedule_post', 'write', openForm('Schedule a post')],
  ['schedule_as_post', 'write', openForm('Schedule a post')],
]

/** Menus that load their options, by their feature or form. `query` is what the person types. */
const MENUS: [menu: string, level: Level, query: string, option: string][] = [
  ['project:choose', 'view', '', 'Borealis'],
  ['zone:choose', 'view', 'Tokyo', 'Asia/Tokyo'],
  ['schedule:project', 'write', '', 'Borealis'],
  ['schedule:TemplateId', 'write', '', 'Offer'],
  ['schedule:PromptId', 'write', '', 'bystander'],
  ['edit:project', 'write', '', 'Borealis'],
  ['edit:TemplateId', 'write', '', 'Offer'],
  ['edit:PromptId', 'write', '', 'bystander'],
  ['reschedule:project', 'write', '', 'Borealis'],
  ['import:project', 'write', '', 'Borealis'],
  ['review:project', 'write', '', 'Borealis'],
  ['slots:project', 'write', '', 'Borealis'],
  ['approval:project', 'admin', '', 'Borealis'],
  ['approval:user_group', 'admin', '', 'Editors'],
  ['writers:project', 'admin', '', 'Borealis'],
  ['writers:user_group', 'admin', '', 'Editors'],
  ['approve:project', 'view', '', 'Borealis'],
  ['review:TemplateId', 'write', '', 'Offer'],
  ['review:PromptId', 'write', '', 'bystander'],
  ['share:project', 'write', '', 'Borealis'],
  ['invite:project', 'admin', '', 'Borealis'],
  ['invite:Role', 'admin', '', 'EDITOR'],
  ['invite:Status', 'admin', '', 'INACTIVE'],
  ['user:project', 'admin', '', 'Borealis'],
  ['user:record', 'admin', 'U1', 'User ID U1'],
  ['user:Role', 'admin', '', 'EDITOR'],
  ['user:Status', 'admin', '', 'INACTIVE'],
  ['prompt:project', 'write', '', 'Borealis'],
  ['source:project', 'write', '', 'Borealis'],
  ['source:record', 'write', '', 'https://acme.example/feed'],
  ['digest:project', 'write', '', 'Borealis'],
  ['digest:zone', 'write', 'Tokyo', 'Asia/Tokyo'],
]

type FormRow = {
  command: string
  title: string
  level: Level
  /** What is picked in menus that are searched. */
  picked: () => Record<string, string>
  typed: (handle: string) => Record<string, string>
  answer: RegExp
  /** The project of an existing post can't be changed, but its time can. */
  hasFixedProject?: boolean
  /** No input changes the rest of the form. */
  isStatic?: boolean
  /** Opens the form, if its command alone doesn't. */
  open?: (member: Member) => Promise<void>
  /** Whether a submission that can't be sent waits in the outbox. */
  usesOutbox: boolean
}

let minute = 0
const nextTime = () => `${8 + Math.floor(minute / 60)}:${String(minute++ % 60).padStart(2, '0')}`

/** Submitting a form, and changing its project. */
const FORMS: Record<string, FormRow> = {
  schedule: {
    command: '/schedule-post tomorrow 9am on X',
    title: 'Schedule a post',
    level: 'write',
    picked: () => ({}),
    // Another text each time, because a duplicate leads to a warning.
    typed: (handle) => ({ Content: `Hello from ${handle} at ${nextTime()}!` }),
    answer: /Scheduled in Acme/,
    usesOutbox: true,
  },
  edit: {
    command: '/upnext edit editable',
    title: 'Edit a post',
    level: 'write',
    picked: () => ({}),
    typed: (handle) => ({ Content: `Editable by ${handle} at ${nextTime()}` }),
    answer: /Saved the changes in Acme/,
    hasFixedProject: true,
    usesOutbox: false,
  },
  reschedule: {
    command: '/upnext reschedule editable',
    title: 'Reschedule a post',
    level: 'write',
    picked: () => ({}),
    typed: () => ({ ScheduleDate: `1 july 2027 ${nextTime()} UTC` }),
    answer: /Rescheduled in Acme/,
    hasFixedProject: true,
    usesOutbox: false,
  },
  share: {
    command: '/upnext share editable',
    title: 'Share a post',
    level: 'write',
    picked: () => ({}),
    typed: (handle) => ({ comment: `Look, ${handle} at ${nextTime()}` }),
    answer: /Shared in <#/,
    isStatic: true,
    usesOutbox: false,
  },
  invite: {
    command: '/invite-user',
    title: 'Invite someone',
    level: 'admin',
    picked: () => ({ Role: 'EDITOR' }),
    typed: (handle) => ({ FirstName: handle, Email: `${handle}@acme.example` }),
    answer: /Invited .*@acme.example/,
    usesOutbox: true,
  },
  user: {
    command: '/upnext user',
    title: 'Change a user',
    level: 'admin',
    picked: () => ({ record: user, Role: 'EDITOR' }),
    typed: () => ({}),
    answer: /Updated .*in Acme: editor/,
    usesOutbox: false,
  },
  prompt: {
    command: '/upnext prompt',
    title: 'Create a prompt',
    level: 'write',
    picked: () => ({}),
    typed: (handle) => ({ Title: handle, PromptText: 'Write three puns.' }),
    answer: /Saved the prompt/,
    usesOutbox: true,
  },
  source: {
    command: '/update-source',
    title: 'Update a source',
    level: 'write',
    picked: () => ({ record: '' }),
    typed: (handle) => ({ Source: `https://acme.example/${handle}` }),
    answer: /Updated the source/,
    usesOutbox: false,
  },
  import: {
    command: '/upnext import',
    title: 'Import a plan',
    level: 'write',
    picked: () => ({}),
    typed: (handle) => ({ Plan: `Planned by ${handle}, tomorrow ${nextTime()} on X` }),
    answer: /Reading the plan/,
    isStatic: true,
    usesOutbox: false,
  },
  review: {
    command: '/upnext import',
    title: 'Change a row',
    level: 'write',
    picked: () => ({}),
    typed: () => ({ ScheduleDate: `1 july 2027 ${nextTime()} UTC` }),
    // Persons get copies of a form whose plan isn't theirs.
    answer: /This plan isn't in review|\*1 post\* for Acme/,
    open: openRow,
    hasFixedProject: true,
    usesOutbox: false,
  },
  slots: {
    command: '/upnext slots',
    title: 'Slots',
    level: 'write',
    picked: () => ({}),
    // No other post of the matrix goes out at this time.
    typed: () => ({ Slots: 'sundays at 03:33' }),
    answer: /Slots of Acme/,
    hasFixedProject: true,
    isStatic: true,
    usesOutbox: false,
  },
  writers: {
    command: '/upnext writers',
    title: 'Writers',
    level: 'admin',
    picked: () => ({}),
    typed: () => ({}),
    answer: /Everyone who can schedule posts/,
    hasFixedProject: true,
    isStatic: true,
    usesOutbox: false,
  },
  approval: {
    command: '/upnext approval',
    title: 'Approval',
    level: 'admin',
    picked: () => ({}),
    typed: () => ({ mode: 'off' }),
    answer: /need no approval/,
    hasFixedProject: true,
    isStatic: true,
    usesOutbox: false,
  },
  approve: {
    command: '/upnext approve',
    title: 'Ask for changes',
    level: 'decide',
    picked: () => ({}),
    typed: (handle) => ({ reason: `From ${handle}` }),
    // The post isn't there anymore.
    answer: /This post was cancelled/,
    open: openReason,
    hasFixedProject: true,
    isStatic: true,
    usesOutbox: false,
  },
  digest: {
    command: '/upnext digest',
    title: 'Channel digest',
    level: 'write',
    picked: () => ({}),
    typed: () => ({ recurrence: `every day at ${nextTime()}` }),
    answer: /Digests in/,
    usesOutbox: false,
  },
}

/** Only bounds how long a broken test runs. */
const MAX_WAIT = { timeout: 60_000, interval: 40 }

let upnext: Upnext
let client: WebClient
let ids: Ids
let user: string
let isServiceDown = false
const admins: string[] = []
let persons: Record<string, Member>
let bystander: Member
/** The open form of an owner, by verb. */
let formViews: Record<string, ModalView>

async function createDigest(): Promise<string> {
  const before = await listDigests()
  await bystander.run(`/upnext digest every day at ${nextTime()}`)
  return vi.waitFor(async () => {
    const created = (await listDigests()).find((id) => !before.includes(id))
    if (!created) throw new Error('The digest is not set up.')
    return created
  }, MAX_WAIT)
}

async function listDigests(): Promise<string[]> {
  const { rows } = await upnext.service.pool.query('select id from upnext.digest')
  return rows.map(({ id }) => id)
}

async function openMatrixWorkspace(handles: string[], { isPermissive = false }): Promise<void> {
  upnext = await openUpnext({
    seed: 'test/bot/permission-matrix.yml',
    projects: ['Acme', 'Borealis'],
    disableRateLimits: true,
    relaxTimeouts: true,
    admins,
    guestsMayWrite: isPermissive,
    externalUsersMayView: isPermissive,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return isServiceDown && request.method === 'POST' ? fetchUnreachable() : systemRuntime.fetch(request)
      },
    },
  })
  const { slack, service } = upnext
  client = new WebClient(slack.secrets.botToken, { slackApiUrl: slack.apiUrl })
  bystander = upnext.person('bystander', 'team')
  const channelOf = (handle: string) => (handle === 'stranger' ? 'backroom' : 'team')
  persons = Object.fromEntries(
    handles.map((handle) => [handle, upnext.person(handle, channelOf(handle), { unrestricted: true })]),
  )
  const project_id = upnext.project
  const { rows: projects } = await service.pool.query(
    "select id from service.project where name = 'Borealis'",
  )
  await insertSource(service.db, { project_id, source: 'https://acme.example/feed', description: null })
  const texts = { title: 'Offer', content: 'Buy our lamp', description: null }
  await insertTemplate(service.db, { project_id, ...texts })
  await insertPost(service.db, {
    project_id,
    content: 'Editable',
    platforms: ['X'],
    timezone: 'UTC',
    schedule_date: new Date('2027-06-01T09:00Z'),
    status: 'SCHEDULED',
  })
  await saveWebhook(service.db, { project_id, url: await unreachableUrl(), secret: 'secret' })
  user = (await service.addMember(project_id, 'VIEWER')).id
  const idIn = async (table: string) => (await service.pool.query(`select id from ${table}`)).rows[0]?.id
  await bystander.runAndHear('/upnext use Acme', 'linked')
  await upnext.person('bystander', 'backroom').runAndHear('/upnext use Acme', 'linked')
  for (const { channel } of [bystander, upnext.person('bystander', 'backroom')])
    await bystander.sendMessage({ channel, text: 'The new lamp is here!' })
  for (const verb of ['schedule', 'prompt']) {
    await bystander.submitView(await fillForm(bystander, verb))
    await bystander.hears(rowOf(verb).answer)
  }
  isServiceDown = true
  await bystander.submitView(await fillForm(bystander, 'prompt'))
  await closeViews(bystander)
  // The item stays in the bystander's outbox. The end of an attempt sets another time, so this may take several.
  await vi.waitFor(async () => {
    const tomorrow = new Date(upnext.now().getTime() + 24 * 60 * 60_000)
    await service.pool.query("update upnext.job set due_at = $1 where kind = 'outbox item'", [tomorrow])
    await upnext.settled()
    const { rows } = await service.pool.query("select due_at from upnext.job where kind = 'outbox item'")
    expect(rows).toEqual([{ due_at: tomorrow }])
  }, MAX_WAIT)
  isServiceDown = false
  ids = {
    project: project_id,
    otherProject: projects[0].id,
    template: await idIn('service.template'),
    source: await idIn('service.source'),
    item: await idIn("upnext.outbox_item where state <> 'sent'"),
  }
  await postAsMember(upnext.person('bystander', 'backroom').channel, async () => {})
  formViews = {}
  const owner = upnext.person('owner', 'team')
  for (const verb of Object.keys(FORMS)) formViews[verb] = await copyForm(owner, verb)
}

const rowOf = (verb: string): FormRow => {
  const row = FORMS[verb]
  if (!row) throw new Error(`The matrix has no form "${verb}".`)
  return row
}

/** Opens the form for a row of a new plan. */
async function openRow(member: Member): Promise<void> {
  await member.run('/upnext import')
  const { id } = await member.form('Import a plan')
  await member.submitView({ view: id, values: member.fill({ Plan: 'A row tomorrow 9am on X' }) })
  const shown = () => openView(member).blocks.find((block) => JSON.stringify(block).includes('plan:fix'))
  await vi.waitFor(() => expect(shown()).toBeDefined(), MAX_WAIT)
  const container = { view: openView(member).id }
  await member.dispatchAction({ container, block_id: shown()?.block_id ?? '', action_id: 'plan:fix' })
}

/** Opens the form with which an approver asks for changes. */
async function openReason(member: Member): Promise<void> {
  const id = crypto.randomUUID()
  await upnext.service.pool.query(
    `insert into upnext.approval
       (item_id, group_id, team_id, project_id, author, changed_by, version, state, decisions, asked_at)
     select $1, $1, team_id, $2, 'U0', 'U0', 'x', 'over', '[]', now() from upnext.installation`,
    [id, ids.project],
  )
  const value = JSON.stringify({ id, version: 'x' })
  await postButton([member], { action_id: 'approval:refuse', value, isForAll: false })
  await member.pressLast('approval:refuse')
}

/** Opens a form with its command and fills it in. */
async function fillForm(member: Member, verb: string): Promise<{ view: string; values: InputValues }> {
  const { command, title, typed, picked, open = () => member.run(command) } = rowOf(verb)
  await open(member)
  const { id } = await member.form(title)
  const values = member.fill(typed(member.handle))
  for (const [block, label] of Object.entries(picked()))
    Object.assign(values, (await member.pick(block, label)).values)
  return { view: id, values }
}

type CopiedBlock = { block_id?: string; element?: Record<string, unknown> }

/** An open form with what was picked in it. It no longer answers in the message of its command. */
async function copyForm(member: Member, verb: string): Promise<ModalView> {
  const { view: id, values } = await fillForm(member, verb)
  const { callback_id = '', private_metadata = '', title, submit, close, blocks } = openView(member)
  const copied: CopiedBlock[] = JSON.parse(JSON.stringify(blocks))
  for (const block of copied) {
    const [picked] = Object.values(values[block.block_id ?? ''] ?? {})
    if (block.element?.type === 'external_select' && typeof picked === 'string')
      block.element.initial_option = { text: { type: 'plain_text', text: picked }, value: picked }
  }
  await member.closeView({ view: id })
  const { response_url: _, ...metadata } = JSON.parse(private_metadata)
  return {
    type: 'modal',
    callback_id,
    private_metadata: JSON.stringify(metadata),
    title,
    submit,
    close,
    blocks: copied,
  } as ModalView
}

const openView = (member: Member) => {
  const view = member.state().views.at(-1)
  if (!view) throw new Error('No modal is open.')
  return view
}

const closeViews = async (member: Member) => {
  for (const { id } of member.state().views.toReversed()) await member.closeView({ view: id })
}

/** Shows the person a modal that they may never have been allowed to open, in the one that the shortcut opens for everyone. */
async function showModal(member: Member, view: ModalView | undefined): Promise<void> {
  if (!member.state().views.length) await member.runShortcut({ callback_id: 'schedule_post' })
  await vi.waitFor(() => {
    const text = JSON.stringify(member.state().views)
    if (!text.includes('"block_id":"project"') && !REFUSALS.some((refusal) => text.includes(refusal)))
      throw new Error('The modal is not ready.')
  }, MAX_WAIT)
  if (view) await client.views.update({ view_id: openView(member).id, view })
}

type ButtonOptions = { action_id: string; value: string; isForAll: boolean }

/** Posts a button in the channels of the persons, for them alone or for everyone there. */
async function postButton(members: Member[], { action_id, value, isForAll }: ButtonOptions): Promise<void> {
  const text = 'Press'
  const blocks = buttonRow({ action_id, label: text, ...(value && { value }) })
  for (const channel of new Set(members.map((member) => member.channel)))
    await postAsMember(channel, async () => {
      if (isForAll) await client.chat.postMessage({ channel, text, blocks })
      else
        for (const { userId } of members)
          await client.chat.postEphemeral({ channel, user: userId, text, blocks })
    })
}

/** The app leaves the stranger's channel again, so that Slack still calls them a stranger. */
async function postAsMember(channel: string, post: () => Promise<void>): Promise<void> {
  if (channel === bystander.channel) return post()
  const app = { channel, user: upnext.slack.botUserId }
  await bystander.inviteToChannel(app)
  await post()
  await bystander.removeFromChannel(app)
}

async function openHome(member: Member): Promise<void> {
  await member.openAppTab({ tab: 'home' })
  await vi.waitFor(
    () =>
      expect(JSON.stringify(member.state().home)).toMatch(/Default project|Pick a project|Upnext is only/),
    MAX_WAIT,
  )
}

/** A message or view that someone saw, as JSON. */
const texts = new WeakMap<object, string>()

const textOf = (seen: object): string => {
  const text = texts.get(seen) ?? JSON.stringify(seen)
  texts.set(seen, text)
  return text
}

const seenBy = (member: Member): string[] => {
  const { messages, views, home } = member.state()
  return [...Object.values(messages).flat(), ...views, ...(home ? [home] : [])].map(textOf)
}

const channelsOf = (member: Member) => {
  const { messages } = member.state()
  return JSON.stringify(messages[member.channel])
}

/** A checksum of each table of the service and the bot. What was refused leaves a trace in the audit trail alone. */
async function readTables(): Promise<Record<string, string>> {
  const { pool } = upnext.service
  const { rows: tables } = await pool.query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('service', 'upnext') and table_type = 'BASE TABLE'
     and table_name not in ('audit_entry', 'heartbeat', 'received_request', 'user_settings')
     and table_schema || '.' || table_name <> 'upnext.job'`,
  )
  const checksums = [
    ...tables.map(({ name }) => ({ name, from: `${name} t` })),
    {
      // These jobs run by themselves.
      name: 'jobs',
      from: `(select * from upnext.job where kind not in ('project check', 'follow post', 'message update')) t`,
    },
    {
      name: 'settings',
      from: `(select user_id, project_id, zone from upnext.user_settings where coalesce(project_id, zone) is not null) t`,
    },
  ].map(
    ({ name, from }) =>
      `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as sum from ${from}`,
  )
  const { rows } = await pool.query(checksums.join(' union all '))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

/** The audit entries of refused attempts, by user. */
async function countDenied(): Promise<Map<string, number>> {
  const { rows } = await upnext.service.pool.query(
    "select user_id, count(*)::int from upnext.audit_entry where outcome = 'denied' group by user_id",
  )
  return new Map(rows.map(({ user_id, count }) => [user_id, count]))
}

type Row = {
  level: Level
  answer: RegExp
  /** Runs before each use, for example to show the button. */
  prepare?: (members: Member[], options: { isForAll: boolean }) => Promise<unknown>
  use: (member: Member) => Promise<unknown>
  /** Whether a refusal is in the audit trail. True by default. */
  isAudited?: boolean
  /** Whether what is refused opens a modal, because there is no channel to answer in. */
  refusesInModal?: boolean
}

let refusalOf: (handle: string, level: Level) => string | undefined

/** A person who is refused isn't shown how a date is read. */
const submitAs = (member: Member, level: Level, input: { view: string; values: InputValues }) =>
  refusalOf(member.handle, level) ? member.submitUnseen(input) : member.submitView(input)

/** Checks the cells of all persons. */
async function checkRow(row: Row): Promise<void> {
  const everyone = Object.entries(persons)
  const isRefused = ([handle]: [string, Member]) => refusalOf(handle, row.level)
  await checkRefused(row, everyone.filter(isRefused))
  const allowed = everyone.filter((person) => !isRefused(person))
  if (row.level === 'view') await Promise.all(allowed.map((person) => checkAllowed(row, ...person)))
  // One by one, because the others see some of the answers.
  else for (const person of allowed) await checkAllowed(row, ...person)
}

async function checkRefused(
  { level, prepare, use, refusesInModal, isAudited = true }: Row,
  refused: [string, Member][],
) {
  const members = refused.map(([, member]) => member)
  await prepare?.(members, { isForAll: true })
  await upnext.settled()
  const tables = await readTables()
  const denied = await countDenied()
  const inChannel = channelsOf(bystander)
  await Promise.all(
    refused.map(async ([handle, member]) => {
      const refusal = refusalOf(handle, level) ?? ''
      const before = new Set(seenBy(member))
      const viewCount = member.state().views.length
      expect(await use(member), handle).toEqual({ done: true })
      const news = () => seenBy(member).filter((seen) => !before.has(seen))
      await vi.waitFor(() => expect(news().join(), handle).toContain(refusal), MAX_WAIT)
      const answers = news().map((seen) => JSON.parse(seen))
      expect(answers, handle).toHaveLength(1)
      expect('ts' in answers[0] && !answers[0].isEphemeral, handle).toBe(false)
      expect(member.state().views, handle).toHaveLength(refusesInModal ? 1 : viewCount)
    }),
  )
  expect(channelsOf(bystander)).toBe(inChannel)
  expect(await readTables()).toEqual(tables)
  if (isAudited)
    await vi.waitFor(async () => {
      const nowDenied = await countDenied()
      for (const { handle, userId } of members)
        expect(nowDenied.get(userId), handle).toBe((denied.get(userId) ?? 0) + 1)
    }, MAX_WAIT)
  await Promise.all(members.map(closeViews))
}

async function checkAllowed({ prepare, use, answer }: Row, handle: string, member: Member): Promise<void> {
  await prepare?.([member], { isForAll: false })
  const before = new Set(seenBy(member))
  expect(await use(member), handle).toEqual({ done: true })
  const news = () =>
    seenBy(member)
      .filter((seen) => !before.has(seen))
      .join('\n')
  await vi.waitFor(() => expect(news(), handle).toMatch(answer), MAX_WAIT)
  for (const problem of [...REFUSALS, ':warning:'])
    expect(withoutCollisions(news()), handle).not.toContain(problem)
  await closeViews(member)
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe('the matrix', () => {
  it('has a row for each command', () => {
    const commandOf = (text: string) =>
      text
        .split(' ')
        .slice(0, text.startsWith('/upnext ') ? 2 : 1)
        .join(' ')
    const declared = features.flatMap(({ verb, command }) => [
      `/upnext ${verb}`,
      ...(command ? [command] : []),
    ])
    expect(sorted(COMMANDS.map(([text]) => commandOf(text)))).toEqual(sorted(declared))
  })

  it('has a row for each button and menu', () => {
    const declared = features.flatMap(({ actions = {} }) => Object.keys(actions))
    expect(ACTIONS.map(([action_id]) => action_id).sort()).toEqual(declared.sort())
  })

  it('has a row for each shortcut', () => {
    const declared = features.flatMap(({ shortcuts = [] }) => shortcuts.map(({ callback_id }) => callback_id))
    expect(SHORTCUTS.map(([callback_id]) => callback_id).sort()).toEqual(declared.sort())
  })

  it('has a row for each menu that loads its options', () => {
    const ofForms = forms.flatMap(({ verb, fields, recordSelect }) => [
      `${verb}:project`,
      ...(recordSelect?.search ? [`${verb}:record`] : []),
      ...Object.keys(fields).flatMap((name) => (fields[name]?.search ? [`${verb}:${name}`] : [])),
    ])
    const declared = [...features.flatMap(({ options = {} }) => Object.keys(options)), ...ofForms]
    expect(MENUS.map(([menu]) => menu).sort()).toEqual(declared.sort())
  })

  it('has a row for each form', () => {
    expect(Object.keys(FORMS).sort()).toEqual(forms.map(({ verb }) => verb).sort())
    expect(Object.keys(FORMS).filter((verb) => rowOf(verb).usesOutbox)).toEqual(
      forms.filter(({ creation }) => creation).map(({ verb }) => verb),
    )
  })
})

describe.each([
  ['by default', 'byDefault'],
  ['with GUESTS_MAY_WRITE and EXTERNAL_USERS_MAY_VIEW', 'ifPermissive'],
] as const)('permissions %s', (_title, settings) => {
  beforeAll(async () => {
    refusalOf = (handle, level) => PERSONS[handle]?.[settings][level]
    const isPermissive = settings === 'ifPermissive'
    // The settings change nothing for the others.
    const differs = ({ byDefault, ifPermissive }: PersonRow) => byDefault !== ifPermissive
    const handles = Object.entries(PERSONS).flatMap(([handle, row]) =>
      !isPermissive || differs(row) ? [handle] : [],
    )
    await openMatrixWorkspace(handles, { isPermissive })
  })
  afterAll(async () => {
    const refused = upnext.slack.controls
      .appPayloads()
      .flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))
    expect(refused.filter((call) => !EXPECTED_PROBLEMS.includes(call))).toEqual([])
    await upnext.close()
  })

  // First, because Slack only gets a Home tab that has changed.
  it('restricts the Home tab to the view level', () =>
    checkRow({
      level: 'view',
      answer: /Your settings/,
      isAudited: false, // Slack opens the tab, too, and nothing is shown.
      use: async (member) => {
        await member.openAppTab({ tab: 'home' })
        return { done: true }
      },
    }))

  it.each(COMMANDS)('restricts %s to the %s level', (text, level, answer) =>
    checkRow({ level, answer, use: (member) => member.run(text) }),
  )

  it('shows the help to everyone', async () => {
    for (const member of Object.values(persons)) await member.runAndHear('/upnext help', 'What Upnext can do')
  })

  it.each(ACTIONS)('restricts the button %s to the %s level', (action_id, level, value, answer) =>
    checkRow({
      level,
      answer,
      prepare: async (members, { isForAll }) => {
        if (action_id === 'project:choose') for (const member of members) await openHome(member)
        await postButton(members, { action_id, value: await value(ids), isForAll })
      },
      use: async (member) => {
        const home = member.findOnHome(action_id)
        // In a channel, the channel's project counts.
        if (action_id !== 'project:choose' || !home.block_id) return member.pressLast(action_id)
        return member.dispatchAction({ ...home, value: await value(ids) })
      },
    }),
  )

  it.each(SHORTCUTS)('restricts the shortcut %s to the %s level', (callback_id, level, answer) => {
    const isGlobal = callback_id === 'schedule_post'
    return checkRow({
      level,
      answer,
      refusesInModal: isGlobal,
      use: (member) => {
        const { channel } = member
        const isPublic = ({ isEphemeral }: ClientMessage) => !isEphemeral
        const message = { channel, ts: member.state().messages[channel]?.find(isPublic)?.ts ?? '' }
        return member.runShortcut({ callback_id, ...(!isGlobal && { message }) })
      },
    })
  })

  it.each(MENUS)('restricts the menu %s to the %s level', async (menu, level, query, option) => {
    const [verb = ''] = menu.split(':')
    const action_id = features.some(({ options = {} }) => menu in options) ? menu : `options:${menu}:0`
    const select = { type: 'external_select' as const, action_id, min_query_length: 0 }
    const blocks: KnownBlock[] = [
      { type: 'section', block_id: 'menu', text: { type: 'mrkdwn', text: 'Pick' }, accessory: select },
    ]
    const { private_metadata = '' } = formViews[verb] ?? {}
    const view: ModalView = {
      type: 'modal',
      title: { type: 'plain_text', text: 'Menu' },
      private_metadata,
      blocks,
    }
    await Promise.all(
      Object.entries(persons).map(async ([handle, member]) => {
        await showModal(member, view)
        const container = { view: openView(member).id }
        const loaded = await member.loadOptions({ container, block_id: 'menu', action_id, query })
        if (refusalOf(handle, level)) expect(loaded, handle).toEqual({ options: [] })
        else expect(JSON.stringify(loaded), handle).toContain(option)
        await closeViews(member)
      }),
    )
  })

  const formRows = Object.entries(FORMS).map(([verb, row]) => ({ verb, ...row }))

  it.each(formRows.filter(({ isStatic = false }) => !isStatic))(
    'restricts changing "$title" to the $level level',
    ({ verb, level, hasFixedProject = false }) =>
      checkRow({
        level,
        answer: hasFixedProject ? /Thu 1 Jul 2027, 09:00 UTC/ : /Borealis/,
        prepare: (members) => Promise.all(members.map((member) => showModal(member, formViews[verb]))),
        use: (member) => {
          const block_id = hasFixedProject ? 'ScheduleDate' : 'project'
          const action_id = hasFixedProject ? `change:${verb}:ScheduleDate:0` : `change:${verb}`
          const value = hasFixedProject ? '1 july 2027 9am UTC' : ids.otherProject
          const values = { [block_id]: { [action_id]: value } }
          const container = { view: openView(member).id }
          return member.dispatchAction({ container, block_id, action_id, value, values })
        },
      }),
  )

  it.each(formRows)('restricts submitting "$title" to the $level level', ({ verb, level, answer, typed }) =>
    checkRow({
      level,
      answer,
      prepare: async (members) => {
        // All copies of a form know the same version of the post.
        await upnext.service.pool.query("update service.post set version = 1 where content like 'Editable%'")
        return Promise.all(members.map((member) => showModal(member, formViews[verb])))
      },
      use: (member) =>
        submitAs(member, level, { view: openView(member).id, values: member.fill(typed(member.handle)) }),
    }),
  )

  if (settings === 'ifPermissive') return

  /** What becomes of an admin. */
  const losses = formRows.flatMap((row) =>
    ['member', 'guest', 'single_channel_guest', 'deactivated']
      .filter((role) => PERSONS[role]?.byDefault[row.level])
      .map((role) => ({ ...row, role: role as 'member' | 'guest' | 'single_channel_guest' | 'deactivated' })),
  )

  const promote = async () => {
    upnext.slack.controls.updateUser({ user: 'member', role: 'member', deactivated: false })
    const { member } = persons as { member: Member }
    admins.push(member.userId)
    // Asks Slack for the role, which an earlier test changed.
    await member.runAndHear('/upnext use Acme', 'linked')
    return member
  }
  const demote = (role: (typeof losses)[number]['role']) => {
    admins.length = 0
    const change = role === 'deactivated' ? { deactivated: true } : { role }
    upnext.slack.controls.updateUser({ user: 'member', ...change })
  }

  it.each(losses)(
    'refuses an admin who becomes $role and submits the open form $title',
    async ({ verb, role, level }) => {
      const member = await promote()
      const form = await fillForm(member, verb)
      await upnext.settled()
      const tables = await readTables()
      demote(role)
      expect(await member.submitUnseen(form)).toEqual({ done: true })
      const reopened = JSON.stringify(openView(member))
      expect(reopened).toContain(refusalOf(role, level))
      for (const input of Object.values(form.values).flatMap(Object.values)) expect(reopened).toContain(input)
      await upnext.settled()
      expect(await readTables()).toEqual(tables)
      await closeViews(member)
    },
  )

  it.each(losses.filter(({ usesOutbox }) => usesOutbox))(
    'sends nothing from the outbox of an admin who becomes $role after submitting $title, and notifies the others',
    async ({ verb, role, title }) => {
      const member = await promote()
      const form = await fillForm(member, verb)
      isServiceDown = true
      await member.submitView(form)
      await closeViews(member)
      await upnext.settled()
      const before = await readTables()
      demote(role)
      isServiceDown = false
      upnext.wait({ minutes: 1 })
      const message = `*${title}* in Acme, submitted by <@${member.userId}>, wasn't sent, because they no longer have permission. If it's still needed, submit it yourself.`
      for (const admin of [persons.owner, persons.admin])
        await vi.waitFor(() => expect(admin?.lastText()).toContain(message), MAX_WAIT)
      await upnext.settled()
      if (role !== 'deactivated')
        await member.hears("You no longer have permission to do this, so it wasn't sent.")
      const after = await readTables()
      for (const name of Object.keys(before).filter((table) => table.startsWith('service.')))
        expect(after[name], name).toBe(before[name])
    },
  )
})
