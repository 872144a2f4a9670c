import type { Slack } from '../workspace/slack.ts'

/** A person's initials on a colour of their own; the app's on the colour in its manifest. */
export function drawAvatar({ people, app, team }: Slack, id: string): string {
  const name = people.get(id)?.name ?? team.name
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0])
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const hue = [...id].reduce((sum, letter) => (sum * 37 + letter.charCodeAt(0) * 113) % 360, 0)
  const fill = id === app.botUser ? app.manifest.display_information.background_color : `hsl(${hue} 38% 38%)`
  const letters = initials.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="${fill}"/><text x="24" y="31" font-family="system-ui,sans-serif" font-size="19" font-weight="600" fill="#fff" text-anchor="middle">${letters}</text></svg>`
}
