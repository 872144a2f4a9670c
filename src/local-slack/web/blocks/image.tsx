import { useClient } from '../client.tsx'

type ImageSource = {
  alt_text: string
  image_url?: string
  slack_file?: { id?: string; url?: string }
}

export function Image({ image, isSmall = false }: { image: ImageSource; isSmall?: boolean }) {
  const { fileUrl } = useClient()
  const { alt_text, image_url, slack_file } = image
  const url = image_url ?? fileUrl(slack_file?.url ?? `/files-pri/T-${slack_file?.id}/image`)
  return <img className={isSmall ? 'small-image' : ''} src={url} alt={alt_text} title={alt_text} />
}
