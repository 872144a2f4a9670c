import { anyText, json } from './args.ts'

/** The arguments that say what a message is to say. */
export const contentArgs = {
  text: anyText.optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  markdown_text: anyText.optional(),
}
