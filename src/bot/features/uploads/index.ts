import type { Module } from '../../slack/feature.ts'
import { unusedUploadsHandler } from './delete-unused-uploads.ts'
import { listMedia } from './list-uploads.ts'

export const uploadsModule: Module = {
  features: [listMedia],
  jobs: (context) => [unusedUploadsHandler(context)],
}
