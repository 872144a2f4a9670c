/** One database serves one workspace: the bot's workers don't check which workspace a row belongs to. */
export class OtherWorkspaceError extends Error {
  constructor(owner: string, workspace: string) {
    super(
      `This database has the data of the Slack workspace ${owner}, and not of ${workspace}. Use another database for ${workspace}. If ${owner} no longer uses Upnext, remove the app there while Upnext runs. Or run this in the database, which deletes the data after UNINSTALL_RETENTION_DAYS: insert into upnext.uninstallation (team_id) values ('${owner}')`,
    )
  }
}
