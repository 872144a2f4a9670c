import { createRowQueries } from '../../database/row-queries.ts'
import type { Tables } from './tables.ts'

export const { selectRows, updateRows, deleteRows } = createRowQueries<Tables>()
