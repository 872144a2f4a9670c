/** Whether that is there already: PostgreSQL's unique_violation. */
export const isTwice = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'
