import type { Module } from '../../slack/module.ts'
import { showStatus } from './show-status.ts'

export const statusModule: Module = { features: [showStatus] }
