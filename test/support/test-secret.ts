/** The SECRET_KEY of test databases. */
export const TEST_SECRET = 'a-secret-only-for-tests-of-32-characters-or-more'

/** A key that no test database has. */
export const OTHER_SECRET = 'another-secret-that-is-long-enough-for-a-key'
