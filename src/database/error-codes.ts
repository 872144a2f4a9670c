const hasCode = (error: unknown, code: string): boolean => (error as { code?: unknown }).code === code

export const isUniqueViolation = (error: unknown): boolean => hasCode(error, '23505')
export const isPermissionDenied = (error: unknown): boolean => hasCode(error, '42501')
export const isMissingTable = (error: unknown): boolean => hasCode(error, '42P01')
