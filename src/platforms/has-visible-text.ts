const VISIBLE = /[^\s\p{Cf}\u115f\u1160\u2800\u3164]/u

/** Platforms also reject text that has only invisible characters. */
export const hasVisibleText = (text: string): boolean => VISIBLE.test(text)
