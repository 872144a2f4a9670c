import type { KnownBlock, PlainTextElement } from '@slack/types'
import type { z } from 'zod'
import { countTextCharacters } from './block-queries.ts'
import { blocksFor, createViewSchemas } from './blocks.ts'
import { describeIssue, type Path, type Problem, toJsonPointer, valueAt } from './problems.ts'
import { type RuleInput, rules } from './rules.ts'

/** Valid content, or the error and messages that Slack answers with. */
export type Validation<Valid> = { valid: Valid } | { error: string; messages: string[] }

export type ValidView = {
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

export type BlockValidator = {
  validateMessage: (blocks: unknown, pointer?: string) => Validation<KnownBlock[]>
  validateView: (view: unknown, type: 'modal' | 'home') => Validation<ValidView>
}

/** Undocumented: Slack rejects messages whose blocks hold more than about 13,200 characters of text. */
const MAX_MESSAGE_CHARACTERS = 13_200

const MAX_VIEW_BYTES = 250_000

/** Creates a validator that rejects what Slack rejects, with Slack's error messages. */
export function createBlockValidator(): BlockValidator {
  const messageSchema = blocksFor('message')
  const viewSchemas = createViewSchemas()

  return {
    validateMessage(blocks, pointer = '/blocks') {
      if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', messages: [] }
      const problems =
        findSchemaProblems(messageSchema, blocks) ??
        findRuleProblems({ surface: 'message', blocks: blocks as KnownBlock[] })
      if (problems.length)
        return {
          error: 'invalid_blocks',
          messages: problems.map((problem) => describeProblem(problem, pointer)),
        }
      if (countTextCharacters(blocks) > MAX_MESSAGE_CHARACTERS)
        return { error: 'msg_blocks_too_long', messages: [] }
      return { valid: blocks as KnownBlock[] }
    },
    validateView(view, type) {
      if (new TextEncoder().encode(JSON.stringify(view)).length > MAX_VIEW_BYTES)
        return { error: 'view_too_large', messages: [] }
      const schemaProblems = findSchemaProblems(viewSchemas[type], view)
      if (schemaProblems)
        return {
          error: 'invalid_arguments',
          messages: [
            'failed to match all allowed schemas [json-pointer:/view]',
            ...schemaProblems.map((problem) => describeProblem(problem, '/view')),
          ],
        }
      const validView = view as ValidView
      const { blocks, submit } = validView
      const ruleProblems = findRuleProblems({ surface: type, blocks, submit })
      if (!ruleProblems.length) return { valid: validView }
      return {
        error: 'invalid_arguments',
        messages: ruleProblems.map(({ message, path }) =>
          describeProblem({ message, path: ['blocks', ...path] }, '/view'),
        ),
      }
    },
  }
}

/** Like Slack, this reports nothing more about an object that lacks a field, or about a value of the wrong type. */
function findSchemaProblems(schema: z.ZodType, input: unknown): Problem[] | undefined {
  const { error } = schema.safeParse(input)
  if (!error) return undefined
  const problems = error.issues.flatMap((issue) => describeIssue(issue, input))
  const missingFields = problems.filter(({ message }) => message.startsWith('missing required'))
  const wrongTypes = problems.filter(({ message }) => /^must provide an? /.test(message))
  const reported = problems.filter(
    (problem) =>
      missingFields.includes(problem) ||
      (!missingFields.some(({ path }) => isPrefix(path, problem.path)) &&
        (wrongTypes.includes(problem) ||
          !wrongTypes.some(({ path }) => toJsonPointer(path) === toJsonPointer(problem.path)))),
  )
  return reported.flatMap((problem) => [...findSectionTextProblem(problem, input), problem])
}

const isPrefix = (prefix: Path, path: Path) => prefix.every((key, index) => key === path[index])

/** Slack checks a section's text against several schemas, and reports that none of them matched. */
function findSectionTextProblem({ path }: Problem, input: unknown): Problem[] {
  const textIndex = path.lastIndexOf('text')
  const textPath = path.slice(0, path[textIndex - 1] === 'text' ? textIndex : textIndex + 1)
  const block = Object(valueAt(input, textPath.slice(0, -1)))
  return textIndex > 0 && block.type === 'section' && path.length >= textPath.length
    ? [{ message: 'failed to match all allowed schemas', path: textPath }]
    : []
}

const findRuleProblems = (input: RuleInput): Problem[] =>
  Object.values(rules).flatMap((findProblems) => findProblems(input))

/** In a view, Slack's JSON pointers to these problems lack the leading slash. */
const MESSAGES_WITHOUT_SLASH = ['must be one of the provided options', 'invalid url']

function describeProblem({ message, path }: Problem, pointer: string): string {
  if (message === 'only_one_table_allowed') return message
  const root = MESSAGES_WITHOUT_SLASH.includes(message) && pointer === '/view' ? 'view' : pointer
  return `${message} [json-pointer:${root}${toJsonPointer(path)}]`
}
