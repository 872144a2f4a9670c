import type { ClientChannel } from '../protocol.ts'
import { Dialog } from './dialog.tsx'
import { useSlack } from './slack.tsx'

type Props = { channel: ClientChannel; close: () => void }

export function MembersDialog({ channel, close }: Props) {
  const { seen, me, act, say } = useSlack()
  const mayChange = channel.members.includes(me.id) && me.role !== 'guest'
  const change = async (deed: 'inviteToChannel' | 'removeFromChannel', user: string) => {
    const result = await act(deed, { channel: channel.id, user })
    if ('error' in result) say(result.error)
  }
  const people = seen.users.filter(({ handle }) => handle !== 'slackbot')
  return (
    <Dialog title={`Members of #${channel.name}`} close={close}>
      <ul className="members">
        {people.map(({ id, name, role }) => {
          const inside = channel.members.includes(id)
          return (
            <li key={id} data-inside={inside}>
              <img src={`/avatars/${id}.svg`} alt="" width="28" height="28" />
              <span>
                {name} <small>{role === 'bot' ? 'app' : role}</small>
              </span>
              {mayChange && (
                <button
                  type="button"
                  onClick={() => change(inside ? 'removeFromChannel' : 'inviteToChannel', id)}
                >
                  {inside ? 'Remove' : 'Add'}
                  <span className="hidden"> {name}</span>
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
