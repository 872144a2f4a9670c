import { FEATURE_MODULES } from './features/index.ts'
import { outboxModule } from './outbox/index.ts'
import type { Module } from './slack/module.ts'

export const MODULES: Module[] = [outboxModule, ...FEATURE_MODULES]
