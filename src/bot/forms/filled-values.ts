import { shortHash } from '../database/short-hash.ts'
import type { SearchContext } from '../slack/feature.ts'
import type { InputState, Prefill } from './field.ts'
import type { Form, RecordSelect } from './form.ts'
import { RECORD_BLOCK } from './form-blocks.ts'
import type { FormMetadata } from './form-metadata.ts'
import type { FormState } from './form-state.ts'
import type { FormValues } from './form-value.ts'

export type ChangedInput = InputState & { block_id: string }

/**
 * Loads values for other fields from the chosen option. They replace values from an earlier option. They also replace
 * the user's own input if the option was chosen in the form's record menu.
 */
export async function loadPrefill(
  form: Form,
  { record, values, metadata }: FormState,
  { block_id, selected_option }: ChangedInput,
  search: SearchContext,
): Promise<Prefill | undefined> {
  if (block_id === RECORD_BLOCK)
    return record && form.recordSelect?.prefill?.({ ...search, id: record.value })
  const id = selected_option?.value
  const prefill = id ? await form.fields[block_id]?.prefill?.({ ...search, id }) : undefined
  if (!prefill || 'failure' in prefill) return prefill
  const isFree = ([name]: [string, unknown]) => !values[name] || isStillPrefilled(metadata, name, values)
  return { values: Object.fromEntries(Object.entries(prefill.values).filter(isFree)) }
}

/** Clears the values of the previously picked record. If it is a workspace member, the user's own input stays. */
export function clearedRecordFields(
  { fills = [], search }: RecordSelect,
  metadata: FormMetadata,
  values: FormValues,
): FormValues {
  const dropped = search ? fills : fills.filter((name) => isStillPrefilled(metadata, name, values))
  return Object.fromEntries(dropped.map((name) => [name, undefined]))
}

/** The values that a picked record may have filled in. */
export const pickFilledValues = ({ recordSelect }: Form, values: FormValues = {}): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => recordSelect?.fills?.includes(name)))

/** Whether a field still has the value that a chosen option filled in. */
function isStillPrefilled({ filledHashes = {} }: FormMetadata, name: string, values: FormValues): boolean {
  const value = values[name]
  return typeof value === 'string' && value !== '' && filledHashes[name] === shortHash(value)
}

export const hashValues = (values: FormValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' && value ? [[name, shortHash(value)]] : [],
    ),
  )
