import type { Module } from '../../slack/feature.ts'
import { showStatus } from './show-status.ts'

export const statusModule: Module = { features: [showStatus] }
