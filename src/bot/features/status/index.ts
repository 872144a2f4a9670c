import type { Module } from '../../slack/module.ts'
import { defineStatus } from './show-status.ts'

export const statusModule = (listModules: () => Module[]): Module => ({
  features: [defineStatus(listModules)],
})
