/** Bounds that the description leaves open: generous, and there so that one request cannot hurt all others. */
export const LIMITS = {
  content: 70_000,
  media: 4_000,
  name: 200,
  phoneNumber: 50,
  title: 300,
  promptText: 50_000,
  description: 5_000,
  source: 4_000,
  page: 500,
  logs: 500,
  jsonBody: 1024 * 1024,
  stagedFile: 10 * 1024 * 1024,
}
