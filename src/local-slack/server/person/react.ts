import { z } from 'zod'
import { addReaction } from '../workspace/messages.ts'
import { deed, done, failed } from './deed.ts'
import { findPlace } from './place.ts'

const params = z.object({
  message: z.object({ channel: z.string(), ts: z.string() }),
  name: z.string().regex(/^[\p{L}\p{N}_+'-]+$/u),
})

export const react = deed(params, async ({ slack, desk, params }) => {
  const place = findPlace(slack, desk, params.message)
  if (!place || 'view' in place) return failed('That message is gone.')
  addReaction(slack, place.message, desk.user, params.name)
  return done
})
