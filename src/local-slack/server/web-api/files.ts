import { z } from 'zod'
import { readContent } from '../given/message.ts'
import { fileRecord, findUpload, mayReadFile, startUpload, takeUpload } from '../workspace/files.ts'
import { addMessage } from '../workspace/messages.ts'
import { anyText, json, paging, text, whole } from './args.ts'
import { findPlace } from './channel-access.ts'
import { method, refuse, refuseBlocks } from './method.ts'

const Uploaded = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1)

export const fileMethods = [
  method('files.getUploadURLExternal', {
    tier: 4,
    scopes: ['files:write'],
    args: { filename: text, length: whole.min(1), alt_text: anyText.optional(), alt_txt: anyText.optional() },
    faults: { length: 'missing_argument', filename: 'missing_argument' },
    run: ({ slack, caller, args }) => {
      const upload = startUpload(slack, {
        // It goes into addresses, which hold whole characters only.
        filename: args.filename.toWellFormed(),
        length: args.length,
        by: caller.user,
        alt: args.alt_txt ?? args.alt_text ?? '',
      })
      return { ok: true, upload_url: `${slack.url}/upload/v1/${upload.key}`, file_id: upload.file }
    },
  }),

  method('files.completeUploadExternal', {
    tier: 4,
    scopes: ['files:write'],
    args: {
      files: json.pipe(Uploaded),
      channel_id: anyText.optional(),
      channels: anyText.optional(),
      initial_comment: anyText.optional(),
      blocks: json.optional(),
      thread_ts: anyText.optional(),
    },
    run: async ({ slack, judge, caller, args }) => {
      const wanted = (args.channel_id ?? args.channels ?? '').split(',').filter(Boolean)
      const places = wanted.map((id) => findPlace(slack, caller, id, { membersOnly: true }))
      for (const place of places) if ('refusal' in place) return place.refusal
      // A comment, or blocks: not both.
      const { initial_comment: text, blocks } = args
      const said = await readContent({ slack, judge }, text ? { text } : { blocks })
      // A file may come without a word.
      if ('error' in said && said.error !== 'no_text') return refuseBlocks(said)
      const uploads = args.files.map(({ id }) => findUpload(slack, id, caller.user))
      if (uploads.includes(undefined)) return refuse('file_not_found')
      const uploaded = uploads.flatMap((upload, index) =>
        upload ? takeUpload(slack, upload, args.files[index]?.title) : [],
      )
      for (const place of places) {
        if ('refusal' in place) continue
        addMessage(slack, place.channel, {
          user: caller.user,
          ...(caller.kind === 'bot' && { byApp: {} }),
          ...('passed' in said ? said.passed : { text: '' }),
          subtype: 'file_share',
          files: uploaded.map(({ id }) => id),
          ...(args.thread_ts && { thread_ts: args.thread_ts }),
        })
      }
      return { ok: true, files: uploaded.map((file) => fileRecord(slack, file)) }
    },
  }),

  method('files.info', {
    tier: 4,
    scopes: ['files:read'],
    args: { file: text, ...paging(100) },
    run: ({ slack, caller, args }) => {
      const file = slack.files.get(args.file)
      if (!file || !mayReadFile(slack, file, caller.user)) return refuse('file_not_found')
      return { ok: true, file: fileRecord(slack, file), comments: [], response_metadata: { next_cursor: '' } }
    },
  }),
]
