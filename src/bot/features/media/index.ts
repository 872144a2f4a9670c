import type { Module } from '../../slack/module.ts'
import { uploadHandler } from './upload-file.ts'

export const mediaModule: Module = { jobs: (context) => [uploadHandler(context)] }
