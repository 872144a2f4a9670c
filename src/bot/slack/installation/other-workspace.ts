/** One database serves one workspace: the bot's workers don't check which workspace a row belongs to. */
export class OtherWorkspaceError extends Error {
  constructor(owner: string, workspace: string) {
    super(
      `This database belongs to the Slack workspace ${owner}, not to ${workspace}. Use another database for ${workspace}. If ${owner} no longer uses Upnext, remove the app there while Upnext runs, or run this SQL, so that the data is deleted after UNINSTALL_RETENTION_DAYS: insert into upnext.uninstallation (team_id) values ('${owner}')`,
    )
  }
}
