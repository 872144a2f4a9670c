import { createQueryPreparer } from '../../database/prepare-query.ts'
import { createRowQueries } from '../../database/row-queries.ts'
import type { Tables } from './tables.ts'

export const SCHEMA = 'upnext'

export const prepareOne = createQueryPreparer<Tables>(SCHEMA)

export const { selectRows, saveRow, updateRows, deleteRows } = createRowQueries<Tables>()
