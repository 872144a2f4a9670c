/** The SECRET_KEY of test databases. */
export const TEST_SECRET = 'a-secret-only-for-tests-of-32-characters-or-more'
