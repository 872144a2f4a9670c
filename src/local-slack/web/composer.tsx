import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ClientChannel } from '../protocol.ts'
import type { Where } from './app.tsx'
import { type Completion, completionsFor } from './completions.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { useSlack } from './slack.tsx'
import { uploadFile } from './upload-file.ts'

type Props = {
  channel: ClientChannel
  placeholder: string
  thread?: string
  go?: (to: Where) => void
}

export function Composer({ channel, placeholder, thread, go }: Props) {
  const { act, say, seen, me, desk, drafts } = useSlack()
  const key = thread ?? channel.id
  const [text, setText] = useState(drafts.get(key) ?? '')
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [hidden, setHidden] = useState(false)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const id = useId()
  // Who opens a thread wants to answer in it.
  useEffect(() => {
    if (thread) field.current?.focus()
  }, [thread])
  const offered = hidden
    ? []
    : completionsFor(text, caret, { ...seen, commands: thread ? [] : seen.app.commands })
  const current = offered[Math.min(chosen, offered.length - 1)]

  const write = (value: string, at = value.length) => {
    setText(value)
    drafts.set(key, value)
    setCaret(at)
    setChosen(0)
    setHidden(false)
  }
  const take = ({ start, insert }: Completion) => {
    const at = start + insert.length
    // At once, for who types on at once is to type behind it.
    flushSync(() => write(text.slice(0, start) + insert + text.slice(caret), at))
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
  }
  const send = async () => {
    const said = text.trim()
    if (!said) return
    if (said.startsWith('/') && thread) return say('Slash commands cannot be used inside threads.')
    write('')
    setBusy(true)
    const result = said.startsWith('/')
      ? await act('runCommand', { channel: channel.id, text: said })
      : await act('sendMessage', { channel: channel.id, text: said, ...(thread && { thread_ts: thread }) })
    setBusy(false)
    // A command's failure stands in the channel already, but what was typed is not lost either.
    if ('error' in result) {
      if (!drafts.get(key)) write(said)
      if (!said.startsWith('/')) say(result.error)
    }
  }
  const share = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const given = [...(target.files ?? [])]
    target.value = ''
    const ids = await Promise.all(given.map((file) => uploadFile(file, desk))).catch(() => undefined)
    if (!ids) return say('The files could not be sent. Try again in a moment.')
    const result = await act('sendMessage', {
      channel: channel.id,
      text: '',
      files: ids,
      ...(thread && { thread_ts: thread }),
    })
    if ('error' in result) say(result.error)
  }
  const runShortcut = async (callback_id: string) => {
    const used = await act('runShortcut', { callback_id })
    if ('error' in used) say(used.error)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && offered.length) {
      event.preventDefault()
      setChosen((Math.min(chosen, offered.length - 1) + step + offered.length) % offered.length)
    } else if (event.key === 'Escape' && offered.length) {
      event.preventDefault()
      setHidden(true)
    } else if (event.key === 'Tab' && current && !event.shiftKey) {
      event.preventDefault()
      take(current)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      // A name that is already written in full is sent, not completed again.
      if (current && text.slice(current.start, caret) !== current.insert.trim()) take(current)
      else send()
    }
  }

  const shortcuts = seen.app.shortcuts.filter(({ type }) => type === 'global')
  return (
    <div className="composer">
      {offered.length > 0 && (
        <div role="listbox" id={id} aria-label="Suggestions" className="completions">
          {offered.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's
            <div
              key={one.insert}
              role="option"
              tabIndex={-1}
              id={`${id}-${index}`}
              aria-selected={one === current}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(one)}
            >
              <strong>{one.label}</strong>
              <span>{one.hint}</span>
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        data-composer={thread ? undefined : ''}
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        role="combobox"
        aria-expanded={offered.length > 0}
        aria-controls={offered.length > 0 ? id : undefined}
        aria-activedescendant={current ? `${id}-${offered.indexOf(current)}` : undefined}
        aria-autocomplete="list"
        aria-busy={busy}
        onChange={({ target }) => write(target.value, target.selectionStart)}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-foot">
        <button
          type="button"
          className="icon-button"
          aria-label="Share a file"
          title="Share a file"
          onClick={() => files.current?.click()}
        >
          <Icon name="plus" />
        </button>
        <input ref={files} type="file" multiple hidden onChange={share} />
        {shortcuts.length > 0 && !thread && (
          <Menu
            label="Shortcuts"
            className="icon-button"
            items={shortcuts.map(({ name, description, callback_id }) => ({
              label: name,
              hint: description,
              choose: () => runShortcut(callback_id),
            }))}
          >
            <Icon name="bolt" />
          </Menu>
        )}
        <small className="composer-hint">
          as {me.name}
          {!thread && go && seen.app.commands.length > 0 && <> · type / for commands</>}
        </small>
        <button type="button" className="primary" disabled={!text.trim()} onClick={send}>
          Send
        </button>
      </div>
    </div>
  )
}
