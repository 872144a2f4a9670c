import { createQueryPreparer } from '../../database/prepare-query.ts'
import type { Tables } from './tables.ts'

export const SCHEMA_NAME = 'service'

export const prepareOne = createQueryPreparer<Tables>(SCHEMA_NAME)
