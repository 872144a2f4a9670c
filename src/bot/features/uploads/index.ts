import type { Form } from '../../forms/form.ts'
import type { Module } from '../../slack/module.ts'
import { deleteUnusedMedia } from './delete-unused-media.ts'
import { defineUploadsList } from './list-uploads.ts'

/** Items of these forms in the outbox may need an upload. */
export const uploadsModule = (listForms: () => Form[]): Module => ({
  features: [defineUploadsList(listForms)],
  cleanUp: [({ bot, client }) => deleteUnusedMedia(bot, client, listForms())],
})
