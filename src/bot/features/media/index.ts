import { UPLOAD } from '../../outbox/item-jobs.ts'
import type { Module } from '../../slack/feature.ts'
import { uploadHandler } from './upload-file.ts'

export const mediaModule: Module = {
  jobs: (context) => [uploadHandler(context)],
  jobLabels: { [UPLOAD]: 'Uploads' },
}
