import { expect } from 'vitest'
import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { plain } from './samples.ts'

export type Surface = 'message' | 'modal' | 'home'

const validator = createBlockValidator()

export const modal = (blocks: unknown, more: object = {}) => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Send'),
  blocks,
  ...more,
})
export const home = (blocks: unknown, more: object = {}) => ({ type: 'home', blocks, ...more })

/** What the judge says to blocks on a surface; a modal has all that its blocks may need. */
export const judged = (surface: Surface, blocks: unknown) => {
  if (surface === 'message') return validator.validateMessage(blocks)
  return validator.validateView(surface === 'modal' ? modal(blocks) : home(blocks), surface)
}

/** Where the blocks of a surface are. */
export const root = (surface: Surface) => (surface === 'message' ? '/blocks' : '/view/blocks')

export const passed = { valid: expect.anything() }

const wrapper = 'failed to match all allowed schemas [json-pointer:/view]'

/** Slack wraps what a schema complains of in a view; what it looks at after the schema stands alone. */
export const refused = (surface: Surface, messages: unknown[]) =>
  surface === 'message'
    ? { error: 'invalid_blocks', messages }
    : { error: 'invalid_arguments', messages: [wrapper, ...messages] }

export const refusedAfterwards = (surface: Surface, messages: unknown[]) => ({
  error: surface === 'message' ? 'invalid_blocks' : 'invalid_arguments',
  messages,
})

export const said = (message: string, at: string) => `${message} [json-pointer:${at}]`

/** For what Slack refuses in words that nobody has written down: one message, pointing into the place. */
export const saidOf = (at: string): string => expect.stringContaining(`[json-pointer:${at}`)

/** What passes, and what differs from it in one thing and draws one message. */
export type Case = [name: string, good: unknown[], bad: unknown[], says: unknown, surface?: Surface]
