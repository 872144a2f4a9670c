/** Slack's own limit for a file in a form. */
export const MAX_FORM_FILE_BYTES = 10e6
/** For files in messages. Slack allows these to be larger than files in forms. */
export const MAX_FILE_BYTES = 100e6
/** Lower than for other files, because images are decoded in memory. */
export const MAX_IMAGE_BYTES = 25e6
export const MAX_MEGAPIXELS = 40
export const MAX_IMAGE_SIDE = 20_000
