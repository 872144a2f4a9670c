import { createRowQueries } from '../../database/row-queries.ts'
import type { Tables } from './tables.ts'

export const { selectRows, deleteRows, updateRows } = createRowQueries<Tables>()
