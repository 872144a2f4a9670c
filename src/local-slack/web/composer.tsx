import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ClientChannel } from '../protocol.ts'
import { useClient } from './client.tsx'
import { uploadFile } from './connection.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { findSuggestions, type Suggestion } from './suggestions.ts'

type Props = { channel: ClientChannel; placeholder: string; thread?: string }

/** The server rejects longer commands. */
const MAX_COMMAND_LENGTH = 4000

/** The field for messages and commands, with suggestions for what the user types. */
export function Composer({ channel, placeholder, thread }: Props) {
  const { runAction, runActionWithToast, showToast, state, currentUser, drafts } = useClient()
  const draftKey = thread ?? channel.id
  const [text, setText] = useState(drafts.get(draftKey) ?? '')
  const [caret, setCaret] = useState(0)
  const [activeIndex, setActiveIndex] = useState(0)
  const [areSuggestionsHidden, setAreSuggestionsHidden] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const textArea = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const listId = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another channel or thread takes the focus
  useEffect(() => {
    // A keyboard on the screen would hide the messages.
    if (thread || window.matchMedia('(hover: hover)').matches) textArea.current?.focus()
  }, [draftKey])
  // Slack doesn't accept slash commands in threads.
  const commands = thread ? [] : state.app.commands
  const suggestions = areSuggestionsHidden ? [] : findSuggestions(text, caret, { ...state, commands })
  const current = suggestions[Math.min(activeIndex, suggestions.length - 1)]

  const changeText = (newText: string, newCaret = newText.length) => {
    setText(newText)
    drafts.set(draftKey, newText)
    setCaret(newCaret)
    setActiveIndex(0)
    setAreSuggestionsHidden(false)
  }
  const acceptSuggestion = ({ start, insert }: Suggestion) => {
    const newCaret = start + insert.length
    // Without flushSync, the next key would be typed before the caret has moved.
    flushSync(() => changeText(text.slice(0, start) + insert + text.slice(caret), newCaret))
    textArea.current?.focus()
    textArea.current?.setSelectionRange(newCaret, newCaret)
  }
  const postMessage = (message: { text: string; files?: string[] }) =>
    runActionWithToast('sendMessage', { channel: channel.id, thread_ts: thread, ...message })
  const send = async () => {
    const sentText = text.trim()
    if (!sentText) return
    const isCommand = sentText.startsWith('/')
    if (isCommand && thread) return showToast("Slash commands don't work in threads.")
    if (isCommand && sentText.length > MAX_COMMAND_LENGTH)
      return showToast(
        `A command can have ${MAX_COMMAND_LENGTH} characters. This one has ${sentText.length}.`,
      )
    changeText('')
    setIsSending(true)
    // If a command fails, the channel shows why, so no toast is needed.
    const result = isCommand
      ? await runAction('runCommand', { channel: channel.id, text: sentText })
      : await postMessage({ text: sentText })
    setIsSending(false)
    if ('error' in result && !drafts.get(draftKey)) changeText(sentText)
  }
  const shareFiles = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const uploads = [...(target.files ?? [])].map((file) => uploadFile(file, state.sessionId))
    target.value = ''
    const files = await Promise.all(uploads).catch(() => undefined)
    if (!files) return showToast("The files couldn't be uploaded. Try again in a moment.")
    await postMessage({ text: '', files })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && current) {
      event.preventDefault()
      setActiveIndex((suggestions.indexOf(current) + step + suggestions.length) % suggestions.length)
    } else if (event.key === 'Escape' && current) {
      event.preventDefault()
      setAreSuggestionsHidden(true)
    } else if (event.key === 'Tab' && current && !event.shiftKey) {
      event.preventDefault()
      acceptSuggestion(current)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      // If the suggested name is already complete, Enter sends the message.
      if (current && text.slice(current.start, caret) !== current.insert.trim()) acceptSuggestion(current)
      else void send()
    }
  }

  const shortcuts = state.app.shortcuts.filter(({ type }) => type === 'global')
  return (
    <div className="composer">
      {current && (
        <div role="listbox" id={listId} aria-label="Suggestions" className="suggestions">
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys
            <div
              key={suggestion.insert}
              role="option"
              tabIndex={-1}
              id={`${listId}-${index}`}
              aria-selected={suggestion === current}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => acceptSuggestion(suggestion)}
            >
              <strong>{suggestion.label}</strong>
              <span>{suggestion.hint}</span>
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={textArea}
        data-composer={thread ? undefined : ''}
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        role="combobox"
        aria-expanded={Boolean(current)}
        aria-controls={current && listId}
        aria-activedescendant={current && `${listId}-${suggestions.indexOf(current)}`}
        aria-autocomplete="list"
        aria-busy={isSending}
        onChange={({ target }) => changeText(target.value, target.selectionStart)}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-footer">
        <button
          type="button"
          className="icon-button"
          aria-label="Attach files"
          title="Attach files"
          onClick={() => fileInput.current?.click()}
        >
          <Icon name="plus" />
        </button>
        <input ref={fileInput} type="file" multiple hidden onChange={shareFiles} />
        {shortcuts.length > 0 && !thread && (
          <Menu
            label="Shortcuts"
            className="icon-button"
            items={shortcuts.map(({ name, description, callback_id }) => ({
              label: name,
              hint: description,
              onSelect: () => runActionWithToast('runShortcut', { callback_id }),
            }))}
          >
            <Icon name="bolt" />
          </Menu>
        )}
        <small className="composer-hint">
          Sending as {currentUser.name}
          {commands.length > 0 && ' · Type / for commands'}
        </small>
        <button type="button" className="primary" disabled={!text.trim()} onClick={send}>
          Send
        </button>
      </div>
    </div>
  )
}
