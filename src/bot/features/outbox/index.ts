import type { Form } from '../../forms/form.ts'
import type { Module } from '../../slack/module.ts'
import { defineOutboxList } from './list-outbox.ts'

export const outboxListModule = (listForms: () => Form[]): Module => ({
  features: [defineOutboxList(listForms)],
})
