import type { Module } from '../../slack/module.ts'
import { changeSlots } from './change-slots.ts'

export const slotsModule: Module = { features: [changeSlots] }
