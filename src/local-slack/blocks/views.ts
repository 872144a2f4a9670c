import { z } from 'zod'
import { blocksFor } from './blocks.ts'
import { flag, plain, text } from './objects.ts'

// https://docs.slack.dev/reference/views

const common = {
  private_metadata: text(3000, 0).optional(),
  callback_id: text(255, 0).optional(),
  external_id: text(255, 0).optional(),
}

export const createViewSchemas = () => ({
  modal: z.strictObject({
    title: plain(24),
    blocks: blocksFor('modal'),
    type: z.literal('modal'),
    submit: plain(24).optional(),
    close: plain(24).optional(),
    clear_on_close: flag,
    notify_on_close: flag,
    ...common,
  }),
  home: z.strictObject({ blocks: blocksFor('home'), type: z.literal('home'), ...common }),
})

/** A view larger than this is refused whatever is in it. */
export const LARGEST_VIEW_BYTES = 250_000
