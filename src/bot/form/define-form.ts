import { accessForModal } from '../permissions.ts'
import type { Form, FormDefinition } from './form.ts'
import { openForm } from './open-form.ts'

/** A form is a feature, too: its command opens it. */
export function defineForm<Body, Record>(definition: FormDefinition<Body, Record>): Form {
  const { verb, title, permission, actions } = definition
  const form: Form = {
    // FormDefinition has checked names and types against the contract. The engine treats all forms alike.
    ...(definition as unknown as Form),
    prefill: (definition.prefill as Form['prefill'] | undefined) ?? (() => ({})),
    access: accessForModal(permission, title),
    run: (request) => openForm(form, request),
    actions: {
      [`${verb}:open`]: {
        access: accessForModal(permission, title),
        // The button's value may name a project.
        run: (request) => openForm(form, { ...request, text: '' }, { project_id: request.text || undefined }),
      },
      ...actions,
    },
  }
  return form
}
