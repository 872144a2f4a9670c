import { z } from 'zod'
import { findPublicMessage, messageRecord, publicMessages, repliesOf } from '../workspace/messages.ts'
import { anyText, flag, pagingArgs, text } from './args.ts'
import { findReadableChannel, scopesToRead } from './channel-access.ts'
import { defineMethod, errorResponse } from './method.ts'
import { takePage } from './paging.ts'

const timestamp = anyText.pipe(z.string().regex(/^(\d+(\.\d+)?)?$/)).optional()

const rangeArgs = { oldest: timestamp, latest: timestamp, inclusive: flag, include_all_metadata: flag }

const argErrors = { oldest: 'invalid_ts_oldest', latest: 'invalid_ts_latest', limit: 'invalid_limit' }

type TimeRange = { oldest?: string | undefined; latest?: string | undefined; inclusive?: boolean | undefined }

const isInRange = (ts: string, { oldest, latest, inclusive }: TimeRange) => {
  const isAfterOldest = !oldest || Number(ts) > Number(oldest) || (inclusive && ts === oldest)
  const isBeforeLatest = !latest || Number(ts) < Number(latest) || (inclusive && ts === latest)
  return isAfterOldest && isBeforeLatest
}

const tsOf = ({ ts }: { ts: string }) => ts

export const historyMethods = [
  defineMethod('conversations.history', {
    tier: 3,
    scopes: scopesToRead('history'),
    args: { channel: text, ...rangeArgs, ...pagingArgs(100, 999) },
    argErrors,
    run: ({ slack, caller, args }) => {
      const found = findReadableChannel(slack, caller, args.channel, 'history')
      if ('errorResponse' in found) return found.errorResponse
      const messages = publicMessages(found.channel)
        .filter(
          ({ ts, thread_ts, subtype }) => !thread_ts || thread_ts === ts || subtype === 'thread_broadcast',
        )
        .filter(({ ts }) => isInRange(ts, args))
        .toReversed()
      const page = takePage(messages, args, tsOf)
      if ('errorResponse' in page) return page.errorResponse
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

  defineMethod('conversations.replies', {
    tier: 3,
    scopes: scopesToRead('history'),
    args: { channel: text, ts: text, ...rangeArgs, ...pagingArgs(1000) },
    argErrors,
    run: ({ slack, caller, args }) => {
      const found = findReadableChannel(slack, caller, args.channel, 'history')
      if ('errorResponse' in found) return found.errorResponse
      const message = findPublicMessage(found.channel, args.ts)
      if (!message) return errorResponse('thread_not_found')
      const parent = (message.thread_ts && findPublicMessage(found.channel, message.thread_ts)) || message
      const replies = repliesOf(found.channel, parent.ts).filter(({ ts }) => isInRange(ts, args))
      const page = takePage([parent, ...replies], args, tsOf)
      if ('errorResponse' in page) return page.errorResponse
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
