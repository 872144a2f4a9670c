import { addMs } from '../../../../runtime.ts'
import type { Form } from '../../../forms/form.ts'
import { type FormDraft, openForm } from '../../../forms/open-form.ts'
import type { Action, Feature, Request } from '../../../slack/feature.ts'
import { summarizePost } from '../display/post-blocks.ts'
import { PostReference } from '../display/post-reference.ts'
import { choosePost, type PostSearchOptions } from './choose-post.ts'
import { loadPost, toOpenedPost } from './load-post.ts'
import { type PostVersion, resolveReference } from './read-post.ts'

type RunWithPost = (request: Request, reference: PostReference) => Promise<void>

/** Runs a command with the post that its words name. If several match, asks the question and offers them. */
export const withChosenPost =
  (question: string, run: RunWithPost, options?: PostSearchOptions): Feature['run'] =>
  async (request) => {
    const reference = await choosePost(request, question, options)
    if (reference) await run(request, reference)
  }

/** A button or menu entry of a post. */
export const postAction = (access: Action['access'], run: RunWithPost): Action => ({
  access,
  run: async (request) => {
    const { bot, actor, text } = request
    const reference = PostReference.parse(JSON.parse(text))
    await run(request, await resolveReference({ bot, team_id: actor.team_id }, reference))
  },
})

/** Slack opens a form only within three seconds of the user's action, so loading its post must be faster. */
const LOAD_TIMEOUT_MS = 2000

/** A post as it is now, for a form. */
export const loadPostForForm = (
  request: Request,
  reference: PostReference,
  options?: Pick<PostSearchOptions, 'mayBePublished'>,
) => loadPost(request, reference, { deadline: addMs(request.bot.runtime.now(), LOAD_TIMEOUT_MS), ...options })

/** Opens a form about a post, which remembers the version that the user sees. */
export const openPostForm = (
  form: Form,
  request: Request,
  { reference, found, values }: { reference: PostReference; found: PostVersion } & Pick<FormDraft, 'values'>,
): Promise<void> =>
  openForm(form, request, {
    project_id: reference.project_id,
    draft: { values, opened: toOpenedPost(request, reference, found), about: summarizePost(found.post) },
  })
