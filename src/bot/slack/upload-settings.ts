/** How uploaded files are served. */
export type UploadSettings = {
  /** Where the files can be fetched. Undefined if the scheduling service couldn't reach them. */
  baseUrl: string | undefined
  /** Slack can also fetch them there. */
  isPublic: boolean
  /** How much the files of a workspace may take up. */
  maxWorkspaceBytes: number
}
