/** How uploaded files are served. */
export type UploadSettings = {
  /** Where the files can be fetched. Undefined if the scheduling service couldn't reach them. */
  baseUrl: string | undefined
  /** Whether Slack can also fetch the files from `baseUrl`. */
  isPublic: boolean
  /** How much space the files of a workspace may take up. */
  maxWorkspaceBytes: number
}
