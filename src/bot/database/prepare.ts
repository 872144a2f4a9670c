import { createQueryPreparer } from '../../database/prepare-query.ts'
import type { Tables } from './tables.ts'

export const SCHEMA = 'upnext'

export const prepareOne = createQueryPreparer<Tables>(SCHEMA)
