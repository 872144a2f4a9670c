import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { PROJECT_FOLDER } from '../project-folder.ts'

const DEMO_PICTURES = ['kettle', 'new-roast', 'river-ride', 'painted-frame'] as const

export type DemoPicture = (typeof DEMO_PICTURES)[number]

const PICTURES_FOLDER = join(PROJECT_FOLDER, 'src/service/demo-pictures')

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
        reply.headers(HEADERS).send(readFileSync(join(PICTURES_FOLDER, `${picture}.jpg`))),
    })
}
