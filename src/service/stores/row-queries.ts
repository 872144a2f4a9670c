import { createRowQueries } from '../../database/row-queries.ts'
import type { Tables } from './tables.ts'

export const { selectRows, saveRow, updateRows, deleteRows } = createRowQueries<Tables>()
