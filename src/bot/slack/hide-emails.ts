/** For texts that guests and people from other organizations see. */
export const hideEmails = (text: string): string =>
  text.replace(/[^\s<>()",;:]+@[^\s<>()",;:]+/g, '(email hidden)')
