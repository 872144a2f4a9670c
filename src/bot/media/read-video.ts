import { CustomSource, EncodedPacketSink, Input, MP4, QTFF } from 'mediabunny'

export type VideoFacts = { width: number; height: number; seconds: number }

type ReadBytes = (range: { from: number; to: number }) => Promise<Uint8Array>

const MAX_READ_MS = 10_000

/** Reads how large and how long a video is. Undefined if it has no picture, or is damaged. */
export async function readVideo(size: number, read: ReadBytes): Promise<VideoFacts | undefined> {
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => read({ from: start, to: end - 1 }),
  })
  const input = new Input({ formats: [MP4, QTFF], source })
  const timer = setTimeout(() => input.dispose(), MAX_READ_MS)
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return undefined
    // The beginning of a file may describe frames that were cut off.
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY)
    if (!last) return undefined
    const [width, height, seconds] = await Promise.all([
      track.getDisplayWidth(),
      track.getDisplayHeight(),
      input.computeDuration(),
    ])
    return width > 0 && height > 0 && seconds > 0 ? { width, height, seconds } : undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    input.dispose()
  }
}
