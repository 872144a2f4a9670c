import type { Form } from '../../forms/form.ts'
import type { Module } from '../../slack/module.ts'
import { mediaCheckHandler } from './delete-unused-media.ts'
import { defineUploadsList } from './list-uploads.ts'

/** Items of these forms in the outbox may need an upload. */
export const uploadsModule = (listForms: () => Form[]): Module => ({
  features: [defineUploadsList(listForms)],
  jobs: (context) => [mediaCheckHandler(context, listForms())],
})
