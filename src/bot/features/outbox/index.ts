import type { Module } from '../../slack/feature.ts'
import { listOutbox } from './list-outbox.ts'

export const outboxListModule: Module = { features: [listOutbox] }
