import { readFileSync } from 'node:fs'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'

const DEMO_PICTURES = ['kettle', 'new-roast', 'river-ride', 'painted-frame'] as const

export type DemoPicture = (typeof DEMO_PICTURES)[number]

/** TypeScript copies no pictures to dist, so this path leads to src from there, too. */
const PICTURES_FOLDER = new URL('../../src/service/demo-pictures/', import.meta.url)

const HEADERS = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=604800' }

const picturePath = (picture: DemoPicture) => `/demo/${picture}.jpg`

export const demoPictureUrl = (serviceUrl: string, picture: DemoPicture): string =>
  serviceUrl + picturePath(picture)

/** Serves the pictures of the demo posts without a token, because the link of a post must work for everyone. */
export function addDemoPictureRoutes(server: FastifyInstance, onRequest: onRequestAsyncHookHandler): void {
  for (const picture of DEMO_PICTURES)
    server.route({
      method: ['GET', 'HEAD'],
      url: picturePath(picture),
      onRequest,
      handler: async (_request, reply) =>
        reply.headers(HEADERS).send(readFileSync(new URL(`${picture}.jpg`, PICTURES_FOLDER))),
    })
}
