import { expect } from 'vitest'
import { createBlockValidator, type Validation } from '../../blocks/validate-blocks.ts'
import { actions, context, input, plain, section } from './samples.ts'

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

/** Validates blocks on a surface. */
export const validate = (surface: Surface, blocks: unknown) => {
  if (surface === 'message') return validator.validateMessage(blocks)
  return validator.validateView(surface === 'modal' ? modal(blocks) : home(blocks), surface)
}

/** The JSON pointer to the blocks of a surface. */
export const rootPointer = (surface: Surface) => (surface === 'message' ? '/blocks' : '/view/blocks')

export const VALID = { valid: expect.anything() }

const wrapper = 'failed to match all allowed schemas [json-pointer:/view]'

/** The result for schema problems. In a view, Slack adds a line before them. */
export const invalid = (surface: Surface, messages: unknown[]) =>
  surface === 'message'
    ? { error: 'invalid_blocks', messages }
    : { error: 'invalid_arguments', messages: [wrapper, ...messages] }

/** The result for broken rules, which Slack checks after the schema. */
export const invalidByRules = (surface: Surface, messages: unknown[]) => ({
  error: surface === 'message' ? 'invalid_blocks' : 'invalid_arguments',
  messages,
})

export const messageAt = (message: string, at: string) => `${message} [json-pointer:${at}]`

/** Matches any message at a pointer, for problems whose message Slack doesn't document. */
export const anyMessageAt = (at: string): string => expect.stringContaining(`[json-pointer:${at}`)

/** Valid blocks, the same with one problem, and the message for that problem. */
export type Case = [name: string, good: unknown[], bad: unknown[], says: unknown, surface?: Surface]

/** Where a test puts an object: inside blocks, or as a whole view. */
export type Position = { surface: Surface; at: string; validatePart: (part: unknown) => Validation<unknown> }

export const among = (surface: Surface, at: string, put: (part: unknown) => unknown[]): Position => ({
  surface,
  at: `${rootPointer(surface)}${at}`,
  validatePart: (part) => validate(surface, put(part)),
})

export const inSection = among('message', '/0/accessory', (part) => [section({ accessory: part })])
export const inActions = among('message', '/0/elements/0', (part) => [actions(part)])
export const inContext = among('message', '/0/elements/0', (part) => [context(part)])
export const inContextActions = among('message', '/0/elements/0', (part) => [
  { type: 'context_actions', elements: [part] },
])
export const inInput = among('modal', '/0/element', (part) => [input(part)])
