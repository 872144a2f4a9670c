import type { Feature } from '../feature.ts'
import { context, type Reply, section } from '../reply.ts'

/** All that can be done, from what the features declare. */
export function helpReply(features: Feature[]): Reply {
  const lines = features.map(({ verb, command, usage, help }) => {
    const short = command && command !== '/upnext' ? ` or \`${command}\`` : ''
    return `\`/upnext ${`${verb} ${usage}`.trim()}\`${short}\n${help}`
  })
  return {
    text: 'What can be done with /upnext',
    blocks: [
      section('*What can be done with `/upnext`*'),
      section(lines.join('\n\n')),
      context(
        '`/upnext` alone shows what goes out next. What is scheduled cannot be changed or withdrawn from here: the scheduling service has no such operation.',
      ),
    ],
  }
}
