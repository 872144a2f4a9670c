import type { LocalSlack, UserSession } from 'local-slack'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import sharp from 'sharp'

/** An image that no compression makes small. */
export const drawNoise = (width: number, height: number, type: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg') =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .toFormat(type)
    .toBuffer()

/** A photo that says where it was taken. */
export const takePhoto = (width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: '#c08040' } })
    .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()

type FilmOptions = { width?: number; height?: number; rotation?: 0 | 90; isFragmented?: boolean }

/** A video file whose frames are black boxes to everyone, but whose container is as it should be. */
export async function filmVideo(seconds: number, options: FilmOptions = {}): Promise<Buffer> {
  const { width = 640, height = 360, rotation = 0, isFragmented = false } = options
  const target = new BufferTarget()
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: isFragmented ? 'fragmented' : 'in-memory' }),
    target,
  })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { rotation })
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height }
  for (let second = 0; second < seconds; second++)
    await source.add(new EncodedPacket(new Uint8Array(1000), 'key', second, 1), { decoderConfig })
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/** Uploads a file to the local Slack, as the page does when someone picks one. Returns its id. */
export async function pickFile(
  slack: Pick<LocalSlack, 'url'>,
  { sessionId }: Pick<UserSession, 'sessionId'>,
  name: string,
  bytes: Buffer,
) {
  const query = new URLSearchParams({ session: sessionId, name })
  const response = await fetch(`${slack.url}/page/files?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  return ((await response.json()) as { id: string }).id
}
