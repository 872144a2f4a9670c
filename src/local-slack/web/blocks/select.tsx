import { FloatingFocusManager } from '@floating-ui/react'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useClient } from '../client.tsx'
import { Icon } from '../icon.tsx'
import { usePopup } from '../popup.ts'
import { plainText } from '../text/text.tsx'
import { fieldAriaProps, toList, useField, useFieldValue } from './field.ts'
import {
  initialIds,
  initialOptions,
  type SelectElement,
  type SelectOption,
  useSelectOptions,
} from './select-options.ts'
import type { ElementId } from './surface.tsx'

type Props = { element: SelectElement; elementId: ElementId }

/** A select menu with a search field, for one or several options. */
export function Select({ element, elementId }: Props) {
  const field = useField()
  const { showToast } = useClient()
  const isMulti = element.type.startsWith('multi_')
  const initial = initialOptions(element)
  const initialValues = [...initial.map((option) => option.value), ...initialIds(element)]
  const { value, setValue } = useFieldValue(
    elementId,
    isMulti ? initialValues : (initialValues[0] ?? null),
    element.confirm,
  )
  const selected = toList(value)
  const { isOpen, setIsOpen, refs, context, floatingStyles, getReferenceProps, getFloatingProps } = usePopup()
  const [query, setQuery] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const { options, emptyMessage, labelOf } = useSelectOptions(element, elementId, { isOpen, query })
  // Later search results may lack the selected options, so their labels are kept here.
  const [selectedOptions, setSelectedOptions] = useState<SelectOption[]>([])
  const knownOptions = [...selectedOptions, ...initial]
  const selectedLabel = selected
    .map((id) => knownOptions.find((option) => option.value === id)?.label ?? labelOf(id))
    .join(', ')
  const id = useId()

  useEffect(() => {
    if (isOpen) return
    setQuery('')
    setActiveIndex(0)
  }, [isOpen])

  const toggleOption = (option: SelectOption) => {
    if (!isMulti) {
      setValue(option.value)
      setIsOpen(false)
    } else if (selected.includes(option.value)) setValue(selected.filter((item) => item !== option.value))
    else {
      const maxSelected = ('max_selected_items' in element && element.max_selected_items) || Infinity
      if (selected.length >= maxSelected) return showToast(`You can select up to ${maxSelected} options.`)
      setValue([...selected, option.value])
    }
    setSelectedOptions((current) => [...current.filter(({ value }) => value !== option.value), option])
  }
  const onSearchKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const activeOption = options[activeIndex]
    if (event.key === 'Enter') {
      event.preventDefault()
      if (activeOption) toggleOption(activeOption)
    } else if (step && options.length) {
      event.preventDefault()
      setActiveIndex((activeIndex + step + options.length) % options.length)
    }
  }
  const fallbackPlaceholder = isMulti ? 'Select options' : 'Select an option'
  const placeholder = element.placeholder ? plainText(element.placeholder) : fallbackPlaceholder
  // Buttons don't support aria-invalid. The error is in aria-describedby.
  const { 'aria-invalid': _, ...labelProps } = fieldAriaProps(
    field,
    selected.length ? `${placeholder}: ${selectedLabel}` : placeholder,
  )
  if (field.labelId) labelProps['aria-labelledby'] = `${field.labelId} ${id}-value`

  return (
    <div className="select">
      <button
        type="button"
        ref={refs.setReference}
        id={field.inputId}
        className="select-button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        {...labelProps}
        data-invalid={field.isInvalid}
        {...getReferenceProps({
          onKeyDown(event) {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            setIsOpen(true)
          },
        })}
      >
        <span id={`${id}-value`} className={selected.length ? '' : 'placeholder'}>
          {selectedLabel || placeholder}
        </span>
        <Icon name="down" />
      </button>
      {!isMulti && selected.length > 0 && field.isInInputBlock && (
        <button type="button" className="icon-button clear" aria-label="Clear" onClick={() => setValue(null)}>
          <Icon name="close" />
        </button>
      )}
      {isOpen && (
        <FloatingFocusManager context={context} modal={false}>
          <div
            ref={refs.setFloating}
            className="popup select-list"
            popover="manual"
            style={floatingStyles}
            {...getFloatingProps()}
          >
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={options[activeIndex] && `${id}-${activeIndex}`}
              aria-autocomplete="list"
              aria-label="Search"
              placeholder="Search"
              value={query}
              onKeyDown={onSearchKeyDown}
              onChange={({ target }) => {
                setQuery(target.value)
                setActiveIndex(0)
              }}
            />
            <div
              role="listbox"
              id={`${id}-list`}
              aria-label={field.label || placeholder}
              aria-multiselectable={isMulti}
            >
              {options.map((option, index) => (
                <Fragment key={option.value}>
                  {option.group && option.group !== options[index - 1]?.group && (
                    <div className="option-group" role="presentation">
                      {option.group}
                    </div>
                  )}
                  <OptionRow
                    id={`${id}-${index}`}
                    option={option}
                    isSelected={selected.includes(option.value)}
                    isActive={index === activeIndex}
                    onClick={() => toggleOption(option)}
                  />
                </Fragment>
              ))}
            </div>
            {options.length === 0 && <p className="empty">{emptyMessage}</p>}
          </div>
        </FloatingFocusManager>
      )}
    </div>
  )
}

type OptionRowProps = {
  id: string
  option: SelectOption
  isSelected: boolean
  /** Whether Enter would select this option. */
  isActive: boolean
  onClick: () => void
}

function OptionRow({ id, option, isSelected, isActive, onClick }: OptionRowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    <div
      ref={row}
      role="option"
      tabIndex={-1}
      id={id}
      aria-selected={isSelected}
      data-current={isActive}
      // Without preventDefault, a click would move the focus out of the search field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {option.label}
      {option.hint && <small>{option.hint}</small>}
      {isSelected && <span aria-hidden="true"> ✓</span>}
    </div>
  )
}
