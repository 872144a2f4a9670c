import { ERASED, type PersonalDataRules } from '../database/personal-data.ts'
import type { Tables } from './database/tables.ts'
import { CLOSED_FORM } from './form/open-form-store.ts'
import { deleteItemNotification } from './notifications/notification-store.ts'
import { isOnItsWay, NO_INPUT } from './outbox/outbox-store.ts'

/** What the bot's tables hold about people. Text that others see stays as it is: posts, and comments above them. */
export const BOT_RULES: PersonalDataRules<Tables> = {
  outbox_item: {
    effect: 'blank',
    serviceUser: ({ form, record_id, body }) =>
      form === 'invite' ? { ids: { record_id }, email: body?.Email } : undefined,
    // The id of a record stays, so that a lookup for another item doesn't claim the record.
    alsoBlank: (_item, { isAboutThem }) => ({
      ...NO_INPUT,
      ...{ channel_id: null, progress_channel: null, progress_ts: null },
      ...(isAboutThem && { record_id: null }),
    }),
    findObstacle: async (_db, item) =>
      isOnItsWay(item)
        ? `"${item.form}" in ${item.project_name}, submitted by ${item.user_id} at ${item.accepted_at.toISOString()}, is on its way. Wait until it's sent, or discard it with "/upnext outbox" in Slack.`
        : undefined,
    // The notification would show the input.
    eraseMore: (db, { id }) => deleteItemNotification(db, id),
  },
  held_post: {
    effect: 'keep',
    findObstacle: async (_db, { user_id, project_name, scheduled_at }, isBy) =>
      isBy(user_id)
        ? `Upnext holds a post by ${user_id} in ${project_name} until ${scheduled_at.toISOString()}. Cancel it with "/upnext cancel" in Slack, or wait until it has gone out.`
        : undefined,
  },
  // A key that arrives late doesn't bring the input back.
  open_form: { effect: 'blank', alsoBlank: () => CLOSED_FORM },
  notification: { effect: 'delete' },
  known_record: {
    effect: 'delete',
    serviceUser: ({ kind, record_id, email }) =>
      kind === 'user' ? { ids: { record_id }, email } : undefined,
  },
  user_settings: { effect: 'delete' },
  channel_project: { effect: 'blank', alsoBlank: () => ({ linked_by: null }) },
  // A digest belongs to its channel, so it goes on. The next user who edits it becomes its owner.
  digest: { effect: 'blank' },
  digest_cancellation: { effect: 'blank' },
  digest_content: { effect: 'blank' },
  // If the copy of the post were changed, the message would be updated with the text of the service.
  post_message: { effect: 'blank', ignored: ['post'] },
  media_upload: { effect: 'blank' },
  audit_entry: {
    effect: 'blank',
    serviceUser: ({ action, target, detail }) =>
      action === 'invite' || action === 'user' ? { ids: { target }, email: detail?.after.Email } : undefined,
    alsoBlank: ({ action, detail }, { isAboutThem }) =>
      isAboutThem && action === 'invite' && detail
        ? { detail: { after: { Email: ERASED, Role: detail.after.Role, Status: detail.after.Status } } }
        : {},
  },
  digest_run: 'nothing personal',
  holding_channel: 'nothing personal',
  installation: 'nothing personal',
  media_check: 'nothing personal',
  media_chunk: 'nothing personal',
  media_file: 'nothing personal',
  received_request: 'nothing personal',
  service_extension: 'nothing personal',
  submission: 'nothing personal',
  uninstallation: 'nothing personal',
  uploaded_picture: 'nothing personal',
}
