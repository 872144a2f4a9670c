import type { KnownBlock, PlainTextElement } from '@slack/types'
import type { z } from 'zod'
import { blocksFor } from './blocks.ts'
import { type Fault, faultOf, pointer } from './fault-words.ts'
import { type Fitting, rules, textLength } from './rules.ts'
import type { Surface } from './surface.ts'
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
      const faults = schemaFaults(messages, blocks) ?? ruleFaults({ surface: 'message', blocks })
      if (faults.length) return { error: 'invalid_blocks', messages: faults.map((fault) => words(fault, at)) }
      if (textLength(blocks) > LONGEST_MESSAGE) return { error: 'msg_blocks_too_long', messages: [] }
      return { passed: blocks as KnownBlock[] }
    },
    view(view, type) {
      if (JSON.stringify(view)?.length > LARGEST_VIEW_BYTES) return { error: 'view_too_large', messages: [] }
      const invalid = (messages: string[]) => ({ error: 'invalid_arguments', messages })
      const schema = schemaFaults(views[type], view)
      if (schema) return invalid([...wrapper, ...schema.map((fault) => words(fault, '/view'))])
      const given = view as Omit<JudgedView, 'blocks'> & Pick<Fitting, 'blocks'>
      const faults = ruleFaults({ surface: type as Surface, ...given })
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

function schemaFaults(schema: z.ZodType, input: unknown): Fault[] | undefined {
  const { error } = schema.safeParse(input)
  return error?.issues.flatMap((issue) => faultOf(issue, input))
}

const ruleFaults = (fitting: Fitting): Fault[] => Object.values(rules).flatMap((rule) => rule(fitting))

const words = ({ message, path }: Fault, at: string) =>
  message === 'only_one_table_allowed' ? message : `${message} [json-pointer:${at}${pointer(path)}]`
