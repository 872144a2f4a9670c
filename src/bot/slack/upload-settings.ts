/** How uploaded files are served. */
export type UploadSettings = {
  /** Where the files can be fetched. Undefined if the scheduling service couldn't reach them. */
  baseUrl: string | undefined
  /** Whether Slack can fetch them from there, too. */
  isPublic: boolean
  /** How much the files of a workspace may take up. */
  maxWorkspaceBytes: number
}
