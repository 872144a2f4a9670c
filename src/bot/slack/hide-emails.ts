/** Hides email addresses in text that guests and people from other organizations see. */
export const hideEmails = (text: string): string =>
  text.replace(/[^\s<>()",;:]{1,64}@[^\s<>()",;:]{1,255}/g, '(email hidden)')
