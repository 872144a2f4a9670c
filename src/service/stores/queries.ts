import { createQueryPreparer, createRowQueries } from '../../database/queries.ts'
import type { Tables } from './tables.ts'

export const SCHEMA_NAME = 'service'

export const prepareOne = createQueryPreparer<Tables>(SCHEMA_NAME)

export const { selectRows, saveRow, updateRows, deleteRows } = createRowQueries<Tables>()
