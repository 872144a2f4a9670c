import { z } from 'zod'
import { readMessageContent } from '../content/read-message.ts'
import { canSee } from '../workspace/channels.ts'
import { canReadFile, completeUpload, createUpload, fileRecord, findUpload } from '../workspace/files.ts'
import { addMessage } from '../workspace/messages.ts'
import { anyText, integer, json, pagingArgs, text } from './args.ts'
import { findPostableChannel } from './channel-access.ts'
import { defineMethod, errorResponse, invalidBlocksResponse } from './method.ts'

const CompletedFiles = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1)

export const fileMethods = [
  defineMethod('files.getUploadURLExternal', {
    tier: 4,
    scopes: ['files:write'],
    args: {
      filename: text,
      length: integer.min(1),
      alt_text: anyText.optional(),
      alt_txt: anyText.optional(),
    },
    argErrors: { length: 'missing_argument', filename: 'missing_argument' },
    run: ({ slack, caller, args }) => {
      const upload = createUpload(slack, {
        // The name becomes part of URLs, which must be well-formed Unicode.
        filename: args.filename.toWellFormed(),
        length: args.length,
        user: caller.user,
        altText: args.alt_txt ?? args.alt_text ?? '',
      })
      return { ok: true, upload_url: `${slack.url}/upload/v1/${upload.key}`, file_id: upload.file }
    },
  }),

  defineMethod('files.completeUploadExternal', {
    tier: 4,
    scopes: ['files:write'],
    args: {
      files: json.pipe(CompletedFiles),
      channel_id: anyText.optional(),
      channels: anyText.optional(),
      initial_comment: anyText.optional(),
      blocks: json.optional(),
      thread_ts: anyText.optional(),
    },
    run: async ({ slack, caller, args }) => {
      const channelIds = (args.channel_id ?? args.channels ?? '').split(',').filter(Boolean)
      const targets = channelIds.map((id) => findPostableChannel(slack, caller, id, { membersOnly: true }))
      for (const target of targets) if ('errorResponse' in target) return target.errorResponse
      // Slack uses either the comment or the blocks.
      const { initial_comment: text, blocks } = args
      const content = await readMessageContent(slack, text ? { text } : { blocks })
      // A file needs no text.
      if ('error' in content && content.error !== 'no_text') return invalidBlocksResponse(content)
      const uploads = args.files.map(({ id }) => findUpload(slack, id, caller.user))
      if (uploads.includes(undefined)) return errorResponse('file_not_found')
      const files = uploads.flatMap((upload, index) =>
        upload ? completeUpload(slack, upload, args.files[index]?.title) : [],
      )
      for (const target of targets) {
        if ('errorResponse' in target) continue
        addMessage(slack, target.channel, {
          user: caller.user,
          ...(caller.kind === 'bot' && { appIdentity: {} }),
          ...('valid' in content ? content.valid : { text: '' }),
          subtype: 'file_share',
          files: files.map(({ id }) => id),
          ...(args.thread_ts && { thread_ts: args.thread_ts }),
        })
      }
      return { ok: true, files: files.map((file) => fileRecord(slack, file)) }
    },
  }),

  defineMethod('files.list', {
    tier: 3,
    scopes: ['files:read'],
    args: {
      channel: anyText.optional(),
      user: anyText.optional(),
      count: integer.min(1).max(1000).default(100),
      page: integer.min(1).default(1),
    },
    run: ({ slack, caller, args: { channel, user, count, page } }) => {
      const found = channel ? slack.channels.get(channel) : undefined
      if (channel && !(found && canSee(slack, found, caller.user))) return errorResponse('channel_not_found')
      const files = [...slack.files.values()]
        .filter((file) => canReadFile(slack, file, caller.user))
        .filter((file) => !channel || file.shares.some((share) => share.channel === channel))
        .filter((file) => !user || file.user === user)
        .toReversed()
      return {
        ok: true,
        files: files.slice((page - 1) * count, page * count).map((file) => fileRecord(slack, file)),
        paging: { count, total: files.length, page, pages: Math.ceil(files.length / count) },
      }
    },
  }),

  defineMethod('files.delete', {
    tier: 3,
    scopes: ['files:write'],
    args: { file: text },
    run: ({ slack, caller, args }) => {
      const file = slack.files.get(args.file)
      if (!file) return errorResponse('file_not_found')
      if (file.user !== caller.user) return errorResponse('cant_delete_file')
      slack.files.delete(file.id)
      return { ok: true }
    },
  }),

  defineMethod('files.info', {
    tier: 4,
    scopes: ['files:read'],
    args: { file: text, ...pagingArgs(100) },
    run: ({ slack, caller, args }) => {
      const file = slack.files.get(args.file)
      if (!file || !canReadFile(slack, file, caller.user)) return errorResponse('file_not_found')
      return { ok: true, file: fileRecord(slack, file), comments: [], response_metadata: { next_cursor: '' } }
    },
  }),
]
