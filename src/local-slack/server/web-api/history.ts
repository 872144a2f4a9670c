import { z } from 'zod'
import { messageAt, messageRecord, openMessages, repliesTo } from '../workspace/messages.ts'
import { anyText, flag, paging, text } from './args.ts'
import { findToRead, scopesToRead } from './channel-access.ts'
import { method, refuse } from './method.ts'
import { pageOf } from './pages.ts'

const moment = anyText.pipe(z.string().regex(/^(\d+(\.\d+)?)?$/)).optional()

const span = { oldest: moment, latest: moment, inclusive: flag, include_all_metadata: flag }

const faults = { oldest: 'invalid_ts_oldest', latest: 'invalid_ts_latest', limit: 'invalid_limit' }

type Span = { oldest?: string | undefined; latest?: string | undefined; inclusive?: boolean | undefined }

const within = (ts: string, { oldest, latest, inclusive }: Span) => {
  const after = !oldest || Number(ts) > Number(oldest) || (inclusive && ts === oldest)
  const before = !latest || Number(ts) < Number(latest) || (inclusive && ts === latest)
  return after && before
}

const tsOf = ({ ts }: { ts: string }) => ts

export const historyMethods = [
  method('conversations.history', {
    tier: 3,
    scopes: scopesToRead('history'),
    args: { channel: text, ...span, ...paging(100, 999) },
    faults,
    run: ({ slack, caller, args }) => {
      const found = findToRead(slack, caller, args.channel, 'history')
      if ('refusal' in found) return found.refusal
      const shown = openMessages(found.channel)
        .filter(
          ({ ts, thread_ts, subtype }) => !thread_ts || thread_ts === ts || subtype === 'thread_broadcast',
        )
        .filter(({ ts }) => within(ts, args))
        .toReversed()
      const page = pageOf(shown, args, tsOf)
      if ('refusal' in page) return page.refusal
      return {
        ok: true,
        messages: page.items.map((message) =>
          messageRecord(slack, message, { withMetadata: args.include_all_metadata ?? false }),
        ),
        has_more: page.next_cursor !== '',
        pin_count: 0,
        ...(page.next_cursor && { response_metadata: { next_cursor: page.next_cursor } }),
      }
    },
  }),

  method('conversations.replies', {
    tier: 3,
    scopes: scopesToRead('history'),
    args: { channel: text, ts: text, ...span, ...paging(1000) },
    faults,
    run: ({ slack, caller, args }) => {
      const found = findToRead(slack, caller, args.channel, 'history')
      if ('refusal' in found) return found.refusal
      const asked = messageAt(found.channel, args.ts)
      if (!asked) return refuse('thread_not_found')
      const parent = (asked.thread_ts && messageAt(found.channel, asked.thread_ts)) || asked
      const replies = repliesTo(found.channel, parent.ts).filter(({ ts }) => within(ts, args))
      const page = pageOf([parent, ...replies], args, tsOf)
      if ('refusal' in page) return page.refusal
      return {
        ok: true,
        messages: page.items.map((message) =>
          messageRecord(slack, message, { withMetadata: args.include_all_metadata ?? false }),
        ),
        has_more: page.next_cursor !== '',
        ...(page.next_cursor && { response_metadata: { next_cursor: page.next_cursor } }),
      }
    },
  }),
]
