import type { MultiSelect, Select as SingleSelect } from '@slack/types'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useClient } from '../client.tsx'
import { useFloating, useOutside } from '../floating.ts'
import { Icon } from '../icon.tsx'
import { plainText } from '../text/text.tsx'
import { fieldAriaProps, toList, useField, useFieldValue } from './field.ts'
import { initialIds, initialOptions, type SelectOption, useSelectOptions } from './select-options.ts'
import type { ElementId } from './surface.tsx'

type Props = { element: SingleSelect | MultiSelect; elementId: ElementId }

/** A list to choose from, one or several: type to search, arrows move, Enter chooses, Escape closes. */
export function Select({ element, elementId }: Props) {
  const field = useField()
  const { showToast } = useClient()
  const initial = initialOptions(element)
  const multi = element.type.startsWith('multi_')
  const start = [...initial.map((choice) => choice.value), ...initialIds(element)]
  const { value, setValue: set } = useFieldValue(
    elementId,
    multi ? start : (start[0] ?? null),
    element.confirm,
  )
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  // What something chosen is called, once the list that had it is gone.
  const [known, setKnown] = useState<SelectOption[]>(initial)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const {
    options: choices,
    emptyMessage: note,
    labelOf: nameOf,
  } = useSelectOptions(element, elementId, { isOpen: open, query })
  const held = toList(value)
  const most = 'max_selected_items' in element ? element.max_selected_items : undefined
  // An update of the view may bring another initial choice.
  const labelOf = (one: string) =>
    [...known, ...initial].find((choice) => choice.value === one)?.label ?? nameOf(one)

  useFloating(button, list, open)
  useOutside(root, open, () => leave())
  // Who opens a list wants to search in it.
  useEffect(() => {
    if (open) list.current?.querySelector('input')?.focus()
  }, [open])

  const leave = () => {
    setOpen(false)
    setQuery('')
    setAt(0)
  }
  const close = () => {
    leave()
    button.current?.focus()
  }
  const choose = (choice: SelectOption) => {
    setKnown((before) => [...before.filter((one) => one.value !== choice.value), choice])
    if (!multi) {
      set(choice.value)
      return close()
    }
    const there = held.includes(choice.value)
    if (!there && most && held.length >= most) return showToast(`No more than ${most} can be chosen.`)
    set(there ? held.filter((one) => one !== choice.value) : [...held, choice.value])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const current = choices[at]
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (current) choose(current)
    } else if (event.key === 'Tab') leave()
    else if (step && choices.length) {
      event.preventDefault()
      setAt((at + step + choices.length) % choices.length)
    }
  }
  const placeholder = element.placeholder
    ? plainText(element.placeholder)
    : multi
      ? 'Choose some'
      : 'Choose one'
  // A button cannot be invalid for a screen reader; the message beside it says what is wrong.
  const { 'aria-invalid': _invalid, ...labels } = fieldAriaProps(
    field,
    held.length ? `${placeholder}: ${held.map(labelOf).join(', ')}` : placeholder,
  )

  return (
    <div className="select" ref={root}>
      <button
        type="button"
        ref={button}
        id={field.inputId}
        className="select-button"
        aria-haspopup="listbox"
        aria-expanded={open}
        {...labels}
        {...(field.labelId && { 'aria-labelledby': `${field.labelId} ${id}-value` })}
        data-invalid={field.isInvalid}
        onClick={() => (open ? close() : setOpen(true))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        <span id={`${id}-value`} className={held.length ? '' : 'placeholder'}>
          {held.length ? held.map(labelOf).join(', ') : placeholder}
        </span>
        <Icon name="down" />
      </button>
      {!multi && held.length > 0 && field.isInInputBlock && (
        <button type="button" className="icon-button clear" aria-label="Clear" onClick={() => set(null)}>
          <Icon name="close" />
        </button>
      )}
      {open && (
        <div className="select-list" ref={list} popover="manual">
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={choices[at] ? `${id}-${at}` : undefined}
            aria-autocomplete="list"
            aria-label="Search"
            placeholder="Search"
            value={query}
            onKeyDown={onKeyDown}
            onChange={({ target }) => {
              setQuery(target.value)
              setAt(0)
            }}
          />
          <div
            role="listbox"
            id={`${id}-list`}
            aria-label={field.label || placeholder}
            aria-multiselectable={multi}
          >
            {choices.map((choice, index) => (
              <OptionRow
                key={choice.value}
                id={`${id}-${index}`}
                choice={choice}
                group={choice.group === choices[index - 1]?.group ? undefined : choice.group}
                chosen={held.includes(choice.value)}
                current={index === at}
                choose={() => choose(choice)}
              />
            ))}
          </div>
          {choices.length === 0 && <p className="empty">{note}</p>}
        </div>
      )}
    </div>
  )
}

type RowProps = {
  id: string
  choice: SelectOption
  group: string | undefined
  chosen: boolean
  current: boolean
  choose: () => void
}

function OptionRow({ id, choice, group, chosen, current, choose }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <>
      {group && (
        <div className="option-group" role="presentation">
          {group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's */}
      <div
        ref={row}
        role="option"
        tabIndex={-1}
        id={id}
        aria-selected={chosen}
        data-current={current}
        onPointerDown={(event) => event.preventDefault()}
        onClick={choose}
      >
        {choice.label}
        {choice.hint && <small>{choice.hint}</small>}
        {chosen && <span aria-hidden="true"> ✓</span>}
      </div>
    </>
  )
}
