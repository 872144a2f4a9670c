import { createQueryPreparer, createRowQueries } from '../../database/queries.ts'
import type { Tables } from './tables.ts'

export const SCHEMA = 'upnext'

export const prepareOne = createQueryPreparer<Tables>(SCHEMA)

export const { selectRows, saveRow, updateRows, deleteRows } = createRowQueries<Tables>()
