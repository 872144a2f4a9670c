import type { CallOptions } from '../../../api/client.ts'
import type { Form } from '../../forms/form.ts'
import { type EarlierInput, openForm } from '../../forms/open-form.ts'
import type { Action, Feature, Request } from '../../slack/feature.ts'
import type { PostVersion } from './change-post.ts'
import { choosePost } from './find-posts.ts'
import { loadPost, toOpenedPost } from './load-post.ts'
import { quotePost } from './post-blocks.ts'
import { PostReference } from './post-reference.ts'

type RunWithPost = (request: Request, reference: PostReference) => Promise<void>
type Choice = { mayBePublished?: boolean }

/** A command about a post, which its words name. */
export const withChosenPost =
  (question: string, run: RunWithPost, options?: Choice): Feature['run'] =>
  async (request) => {
    const reference = await choosePost(request, question, options)
    if (reference) await run(request, reference)
  }

/** A button or menu entry of a post. */
export const postAction = (access: Action['access'], run: RunWithPost): Action => ({
  access,
  run: (request) => run(request, PostReference.parse(JSON.parse(request.text))),
})

/** Slack waits three seconds for a form. */
const FORM_TIMEOUT: CallOptions = { deadlineMs: 2000 }

/** A post as it is now, for a form. */
export const loadForForm = (request: Request, reference: PostReference, options?: Choice) =>
  loadPost(request, reference, { ...FORM_TIMEOUT, ...options })

/** Opens a form about a post, as the user sees it now. */
export const openPostForm = (
  form: Form,
  request: Request,
  {
    reference,
    found,
    values,
  }: { reference: PostReference; found: PostVersion } & Pick<EarlierInput, 'values'>,
): Promise<void> =>
  openForm(
    form,
    { ...request, text: '' },
    {
      project_id: reference.project_id,
      draft: { values, opened: toOpenedPost(request, reference, found), about: quotePost(found.post) },
    },
  )
