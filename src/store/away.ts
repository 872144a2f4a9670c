export { isDatabaseAway } from '../database/away.ts'
