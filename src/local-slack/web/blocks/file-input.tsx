import type { FileInput as FileInputElement } from '@slack/types'
import { useState } from 'react'
import { useClient } from '../client.tsx'
import { uploadFile } from '../connection.ts'
import { Icon } from '../icon.tsx'
import { fieldAriaProps, useField } from './field.ts'
import { type ElementId, useSurface } from './surface.tsx'

const MAX_FILE_BYTES = 10 * 1024 * 1024
const DEFAULT_MAX_FILES = 10

type UploadedFile = { id: string; name: string }
type Props = { element: FileInputElement; elementId: ElementId }

export function FileInput({ element, elementId }: Props) {
  const { setValue } = useSurface()
  const { state, showToast } = useClient()
  const field = useField()
  const [files, setFiles] = useState<UploadedFile[]>([])
  const maxFiles = element.max_files ?? DEFAULT_MAX_FILES
  const changeFiles = (newFiles: UploadedFile[]) => {
    setFiles(newFiles)
    const ids = newFiles.map(({ id }) => id)
    setValue(elementId, ids)
  }
  const addFiles = async (selected: File[]) => {
    const tooLarge = selected.find(({ size }) => size > MAX_FILE_BYTES)
    if (tooLarge) return showToast(`"${tooLarge.name}" is larger than 10 MB.`)
    const freeSlots = maxFiles - files.length
    if (selected.length > freeSlots) showToast(`You can add up to ${maxFiles} files. The rest were left out.`)
    const uploads = selected
      .slice(0, freeSlots)
      .map(async (file) => ({ id: await uploadFile(file, state.sessionId), name: file.name }))
    const uploaded = await Promise.all(uploads).catch(() => undefined)
    if (!uploaded) return showToast("The files couldn't be uploaded. Try again in a moment.")
    changeFiles([...files, ...uploaded])
  }
  return (
    <div className="file-input">
      {files.map(({ id, name }) => (
        <span className="chip" key={id}>
          {name}
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={() => changeFiles(files.filter((file) => file.id !== id))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        type="file"
        id={field.inputId}
        multiple={maxFiles > 1}
        disabled={files.length >= maxFiles}
        accept={element.filetypes?.map((extension) => `.${extension}`).join(',')}
        {...fieldAriaProps(field, 'Files')}
        onChange={({ target }) => {
          void addFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </div>
  )
}
