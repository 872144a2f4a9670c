import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/service/operations/index.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** The value that a local reference such as "#/components/schemas/Post" names. */
const resolve = (document: unknown, reference: string): unknown =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce((value, key) => Object(value)[key], document)

const referencesIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        key === '$ref' ? [String(inner)] : referencesIn(inner),
      )
    : []

describe('/openapi.json', () => {
  it('declares every operation of the service, without a token', async () => {
    const { status, body } = await service.request('GET', '/openapi.json')
    expect(status).toBe(200)
    for (const [id, { method, path }] of Object.entries(operations))
      expect(body.paths[path][method.toLowerCase()].operationId).toBe(id)
  })

  it('contains everything that it refers to', async () => {
    const { body } = await service.request('GET', '/openapi.json')
    const references = referencesIn(body)
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter((reference) => resolve(body, reference) === undefined)).toEqual([])
  })
})

describe('/docs', () => {
  it('is a page whose files all come from the service', async () => {
    const page = await fetch(`${service.url}/docs`)
    const html = await page.text()
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
    expect(files).toHaveLength(3)
    for (const path of files) {
      const file = await fetch(service.url + path)
      expect([file.status, (await file.text()).length > 50]).toEqual([200, true])
    }
  })
})
