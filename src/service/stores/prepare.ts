import { prepareQueries } from '../../database/prepare-query.ts'
import type { Tables } from './tables.ts'

export const SCHEMA_NAME = 'service'

export const prepareOne = prepareQueries<Tables>(SCHEMA_NAME)
