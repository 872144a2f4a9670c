import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { PACKAGE_FOLDER } from '../package-folder.ts'

const DEMO_IMAGES = ['kettle', 'new-roast', 'river-ride', 'painted-frame'] as const

export type DemoImage = (typeof DEMO_IMAGES)[number]

const IMAGES_FOLDER = join(PACKAGE_FOLDER, 'src/service/demo-images')

const HEADERS = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=604800' }

const imagePath = (image: DemoImage) => `/demo/${image}.jpg`

export const demoImageUrl = (serviceUrl: string, image: DemoImage): string => serviceUrl + imagePath(image)

/** Serves the images of the demo posts without a token, because a post's media link must work for everyone. */
export function addDemoImageRoutes(server: FastifyInstance, onRequest: onRequestAsyncHookHandler): void {
  for (const image of DEMO_IMAGES)
    server.route({
      method: ['GET', 'HEAD'],
      url: imagePath(image),
      onRequest,
      handler: async (_request, reply) =>
        reply.headers(HEADERS).send(readFileSync(join(IMAGES_FOLDER, `${image}.jpg`))),
    })
}
