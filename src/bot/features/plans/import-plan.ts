import { optional } from '../../forms/field.ts'
import { fileField, textField } from '../../forms/fields.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { authorizeCountedAction } from '../../slack/authorize-action.ts'
import { context, messageView, section, textReply } from '../../slack/message-blocks.ts'
import { accessForModal } from '../../slack/permissions.ts'
import { chooseProject, resolveProject } from '../../slack/projects.ts'
import type { SlackFile } from '../../slack/slack-file.ts'
import type { OpenPlan } from '../posts/schedule-post.ts'
import { createPlan } from './plan-store.ts'
import { MAX_ROWS } from './read-plan.ts'
import { REVIEW_TITLE } from './review-view.ts'

type Input = { Plan?: string; PlanFile?: SlackFile }

const readingView = () => messageView(REVIEW_TITLE, context('Reading the plan…'))

export const importPlan = defineForm<Input, { Id: string }>({
  verb: 'import',
  help: 'Schedule many posts: paste them, or upload a CSV file. You review them first.',
  title: 'Import a plan',
  submitLabel: 'Review',
  permission: 'write',
  fields: {
    Plan: optional(
      textField('Posts', {
        multiline: true,
        hint: 'Enter one post per line, as in "Launch day! tomorrow 9am on X", or paste the cells of a spreadsheet with their headings.',
      }),
    ),
    PlanFile: optional(
      fileField('File', {
        hint: `A CSV file with headings such as text, date, time and platforms, and up to ${MAX_ROWS} posts.`,
        filetypes: ['csv', 'tsv', 'txt'],
      }),
    ),
  },
  validate: ({ Plan, PlanFile }) => {
    const hasBoth = Plan && PlanFile
    return {
      Plan: hasBoth
        ? 'Paste the posts or pick a file, not both.'
        : Plan || PlanFile
          ? ''
          : 'Paste some posts, or pick a file.',
    }
  },
  send: async ({ Plan = '', PlanFile: file }, { bot, actor, project, view_id = null }) => {
    const source = file ? { file } : { text: Plan }
    const projectFields = { project_id: project.Id, project_name: project.Name }
    const Id = await createPlan(bot, actor, { source, view_id, ...projectFields })
    return { kind: 'done', result: { Id } }
  },
  successReply: () => textReply('Reading the plan…'),
  successView: readingView,
})

/** Opens the review when a user schedules several lines of text, or a message's CSV file. */
export const openPlan: OpenPlan = async (request, source) => {
  const choice = await chooseProject(request.bot, request.actor)
  // The form asks for the project, and keeps the typed posts.
  if (choice.kind !== 'chosen' && 'text' in source)
    return openForm(importPlan, { ...request, text: '' }, { values: { Plan: source.text } })
  const project = choice.kind === 'chosen' ? choice.project : await resolveProject(request)
  if (!project) return
  const { bot, actor } = request
  const project_id = project.Id
  const modal = await request.open(readingView())
  const access = accessForModal('write', REVIEW_TITLE)
  const authorization = await authorizeCountedAction(bot, actor, {
    name: importPlan.verb,
    access,
    project_id,
  })
  // If the permission can't be checked now, the review goes on, because scheduling the posts checks it again.
  if (authorization.kind === 'refused')
    return modal.update(messageView(REVIEW_TITLE, section(authorization.message)))
  await createPlan(bot, actor, { source, view_id: modal.id, project_id, project_name: project.Name })
}
