import type { FileInput as FileInputElement } from '@slack/types'
import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { useSlack } from '../slack.tsx'
import { uploadFile } from '../upload-file.ts'
import type { Which } from './any-element.tsx'
import { labelling, useField } from './field.tsx'
import { usePlace } from './place.tsx'

const LARGEST = 10 * 1024 * 1024

type Chosen = { id: string; name: string }

export function FileInput({ element, which }: { element: FileInputElement; which: Which }) {
  const { type } = usePlace()
  const { desk, say } = useSlack()
  const field = useField()
  const [chosen, setChosen] = useState<Chosen[]>([])
  const most = element.max_files ?? 10
  const keep = (files: Chosen[]) => {
    setChosen(files)
    type(
      which,
      files.map(({ id }) => id),
    )
  }
  const add = async (files: File[]) => {
    const large = files.find(({ size }) => size > LARGEST)
    if (large) return say(`"${large.name}" is larger than 10 MB.`)
    if (files.length > most - chosen.length)
      say(`No more than ${most} can be chosen: the others were left out.`)
    const added = await Promise.all(
      files
        .slice(0, most - chosen.length)
        .map(async (file) => ({ id: await uploadFile(file, desk), name: file.name })),
    ).catch(() => undefined)
    if (!added) return say('The files could not be sent. Try again in a moment.')
    keep([...chosen, ...added])
  }
  return (
    <div className="file-input">
      {chosen.map(({ id, name }) => (
        <span className="chip" key={id}>
          {name}
          <button
            type="button"
            aria-label={`Take ${name} away`}
            onClick={() => keep(chosen.filter((one) => one.id !== id))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        type="file"
        id={field.inputId}
        multiple={most > 1}
        disabled={chosen.length >= most}
        accept={element.filetypes?.map((one) => `.${one}`).join(',')}
        {...labelling(field, 'Files')}
        onChange={({ target }) => {
          void add([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </div>
  )
}
