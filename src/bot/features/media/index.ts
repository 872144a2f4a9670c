import type { Module } from '../../slack/module.ts'
import { startUploads } from './start-uploads.ts'

export const mediaModule: Module = { startWorkers: (context) => [startUploads(context)] }
