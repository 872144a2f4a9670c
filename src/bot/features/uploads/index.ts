import type { Form } from '../../forms/form.ts'
import type { Module } from '../../slack/module.ts'
import { unusedUploadsHandler } from './delete-unused-media.ts'
import { defineUploadsList } from './list-uploads.ts'

/** `listForms` returns the forms whose outbox items may still need an upload. */
export const uploadsModule = (listForms: () => Form[]): Module => ({
  features: [defineUploadsList(listForms)],
  jobs: (context) => [unusedUploadsHandler(context, listForms())],
})
