import type { Module } from '../../slack/feature.ts'
import { changeSlots } from './change-slots.ts'

export const slotsModule: Module = { features: [changeSlots] }
