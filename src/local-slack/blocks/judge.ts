import type { KnownBlock, PlainTextElement } from '@slack/types'
import type { z } from 'zod'
import { blocksFor } from './blocks.ts'
import { type Fault, faultOf, type Path, pointer, valueAt } from './fault-words.ts'
import { textLength } from './look-for.ts'
import { type Fitting, rules } from './rules.ts'
import { createViewSchemas, LARGEST_VIEW_BYTES } from './views.ts'

export type Verdict<Passed> = { passed: Passed } | { error: string; messages: string[] }

export type JudgedView = {
  type: 'modal' | 'home'
  blocks: KnownBlock[]
  title?: PlainTextElement
  submit?: PlainTextElement
  close?: PlainTextElement
  private_metadata?: string
  callback_id?: string
  external_id?: string
  clear_on_close?: boolean
  notify_on_close?: boolean
}

/** Looks at what a bot sends as Slack does, and says what Slack would say. */
export type Judge = {
  message: (blocks: unknown, at?: string) => Verdict<KnownBlock[]>
  view: (view: unknown, type: 'modal' | 'home') => Verdict<JudgedView>
}

/** Undocumented; where bots have met it: about 13,200 characters of text in a message's blocks. */
const LONGEST_MESSAGE = 13_200

export function createJudge(): Judge {
  const messages = blocksFor('message')
  const views = createViewSchemas()

  return {
    message(blocks, at = '/blocks') {
      if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', messages: [] }
      const faults =
        schemaFaults(messages, blocks) ?? ruleFaults({ surface: 'message', blocks: blocks as KnownBlock[] })
      if (faults.length) return { error: 'invalid_blocks', messages: faults.map((fault) => words(fault, at)) }
      if (textLength(blocks) > LONGEST_MESSAGE) return { error: 'msg_blocks_too_long', messages: [] }
      return { passed: blocks as KnownBlock[] }
    },
    view(view, type) {
      if (new TextEncoder().encode(JSON.stringify(view)).length > LARGEST_VIEW_BYTES)
        return { error: 'view_too_large', messages: [] }
      const invalid = (messages: string[]) => ({ error: 'invalid_arguments', messages })
      const schema = schemaFaults(views[type], view)
      if (schema) return invalid([...wrapper, ...schema.map((fault) => words(fault, '/view'))])
      const given = view as Omit<JudgedView, 'blocks'> & Pick<Fitting, 'blocks'>
      const faults = ruleFaults({ surface: type, ...given })
      if (faults.length)
        return invalid(
          faults.map(({ message, path }) => words({ message, path: ['blocks', ...path] }, '/view')),
        )
      // What the schema let pass is of this shape.
      return { passed: view as JudgedView }
    },
  }
}

const wrapper = ['failed to match all allowed schemas [json-pointer:/view]']

/** In the order in which Slack looks: what is missing ends the look at an object, a wrong type that at a value. */
function schemaFaults(schema: z.ZodType, input: unknown): Fault[] | undefined {
  const { error } = schema.safeParse(input)
  if (!error) return undefined
  const faults = error.issues.flatMap((issue) => faultOf(issue, input))
  const missing = faults.filter(({ message }) => message.startsWith('missing required'))
  const wrong = faults.filter(({ message }) => /^must provide an? /.test(message))
  const seen = faults.filter(
    (fault) =>
      missing.includes(fault) ||
      (!missing.some(({ path }) => isAbove(path, fault.path)) &&
        (wrong.includes(fault) || !wrong.some(({ path }) => pointer(path) === pointer(fault.path)))),
  )
  return seen.flatMap((fault) => [...sectionWrapper(fault, input), fault])
}

const isAbove = (path: Path, other: Path) => path.every((key, index) => key === other[index])

/** A section's text is looked at by more than one schema, and Slack says so. */
function sectionWrapper({ path }: Fault, input: unknown): Fault[] {
  const at = path.lastIndexOf('text')
  const place = path.slice(0, path[at - 1] === 'text' ? at : at + 1)
  const block = Object(valueAt(input, place.slice(0, -1)))
  return at > 0 && block.type === 'section' && path.length >= place.length
    ? [{ message: 'failed to match all allowed schemas', path: place }]
    : []
}

const ruleFaults = (fitting: Fitting): Fault[] => Object.values(rules).flatMap((rule) => rule(fitting))

/** What Slack looks for once the fields are right, it points at in a view without the first slash. */
const UNROOTED = ['must be one of the provided options', 'invalid url']

function words({ message, path }: Fault, at: string): string {
  if (message === 'only_one_table_allowed') return message
  const root = UNROOTED.includes(message) && at === '/view' ? 'view' : at
  return `${message} [json-pointer:${root}${pointer(path)}]`
}
