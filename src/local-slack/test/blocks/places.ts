import type { Validation } from '../../blocks/validate-blocks.ts'
import { actions, context, input, section } from './samples.ts'
import { judged, root, type Surface } from './validate.ts'

/** Where a part is looked at: among blocks, or a view by itself. */
export type Place = { surface: Surface; at: string; verdictOn: (part: unknown) => Validation<unknown> }

export const among = (surface: Surface, at: string, put: (part: unknown) => unknown[]): Place => ({
  surface,
  at: `${root(surface)}${at}`,
  verdictOn: (part) => judged(surface, put(part)),
})

export const inSection = among('message', '/0/accessory', (part) => [section({ accessory: part })])
export const inActions = among('message', '/0/elements/0', (part) => [actions(part)])
export const inContext = among('message', '/0/elements/0', (part) => [context(part)])
export const inContextActions = among('message', '/0/elements/0', (part) => [
  { type: 'context_actions', elements: [part] },
])
export const inInput = among('modal', '/0/element', (part) => [input(part)])
