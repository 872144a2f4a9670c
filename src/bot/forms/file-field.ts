import { readSlackFile, type SlackFile } from '../slack/slack-file.ts'
import type { Field } from './field.ts'

type FileOptions = { hint: string; filetypes: string[] }

/** An input for one file. Slack can't prefill it. */
export const fileField = (label: string, { hint, filetypes }: FileOptions): Field<SlackFile> => ({
  label,
  hint,
  element: (_initial, action_id) => ({ type: 'file_input', action_id, filetypes, max_files: 1 }),
  read: ({ files }) => {
    const file = readSlackFile(files?.[0])
    return file && { values: [file] }
  },
})
