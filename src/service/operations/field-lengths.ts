/** The contract has no size limits. These keep a large request from slowing down other requests. */
export const MAX_LENGTH = {
  content: 70_000,
  media: 2_048,
  mediaDescription: 2_000,
  name: 200,
  phoneNumber: 50,
  title: 300,
  promptText: 50_000,
  description: 5_000,
  source: 4_000,
}
