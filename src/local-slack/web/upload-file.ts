/** Gives a file to this Slack; it is seen by nobody until it is shared. */
export async function uploadFile(file: File, desk: string): Promise<string> {
  const address = `/page/files?${new URLSearchParams({ session: desk, name: file.name })}`
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await fetch(address, { method: 'POST', body: file, headers })
  if (!response.ok) throw new Error(`The upload was answered with status ${response.status}.`)
  const { id } = await response.json()
  return id
}
