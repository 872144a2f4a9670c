import { prepareQueries } from '../../database/prepare-query.ts'
import type { Tables } from './tables.ts'

export const SCHEMA = 'upnext'

export const { prepare, prepareOne } = prepareQueries<Tables>(SCHEMA)
