export { isConnectionError } from '../database/connection-error.ts'
