/** SQL statements, in order. */
export const TEXTS = ['alter table service.post add texts jsonb']
