import type { Confirm } from '@slack/types'
import { Dialog } from '../dialog.tsx'
import { plainText, Text } from '../words/text-object.tsx'

type Props = { confirm: Confirm; answer: (yes: boolean) => void }

export function ConfirmDialog({ confirm, answer }: Props) {
  const { title, text, confirm: yes, deny, style } = confirm
  return (
    <Dialog
      title={title ? plainText(title) : 'Are you sure?'}
      close={() => answer(false)}
      foot={
        <>
          <button type="button" onClick={() => answer(false)}>
            {deny ? plainText(deny) : 'Cancel'}
          </button>
          <button
            type="button"
            className={style === 'danger' ? 'danger' : 'primary'}
            onClick={() => answer(true)}
          >
            {yes ? plainText(yes) : 'Confirm'}
          </button>
        </>
      }
    >
      <Text text={text} />
    </Dialog>
  )
}
