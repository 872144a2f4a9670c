import { readFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { parse } from 'yaml'
import type { SeededRandom } from '../support/seeded-random.ts'
import { breakBytes, hostileArray, hostileJson, hostileString } from './hostile-values.ts'
import { describeRequest, type HttpInput, sendRequest } from './send-request.ts'
import type { FuzzedProgram } from './start-program.ts'
import type { Target } from './target.ts'

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  enum?: string[]
  examples?: string[]
}
type Operation = {
  parameters?: { name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Contract = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const contract: Contract = parse(readFileSync('openapi/social-scheduling.v1.yaml', 'utf8'))
const OPERATIONS = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)
const OTHER_METHODS = METHODS.filter((method) => method !== 'CONNECT')
const CONTENT_TYPES = [
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json; charset=x',
  '',
]

/** The service over HTTP, with tokens of each role and requests built from the contract. */
export async function createServiceTarget(program: FuzzedProgram, random: SeededRandom): Promise<Target> {
  const { below, oneOf } = random
  const { serviceUrl, tokens } = program
  const { projects, others } = await listIds(serviceUrl, tokens[0] ?? '')

  const createPath = (path: string) =>
    path.replace(/\{(\w+)\}/g, (_, name) => {
      const known = name === 'project_id' ? projects : others
      return toPath(below(8) ? oneOf(known) : hostileString(random))
    })

  function createQuery({ parameters = [] }: Operation): string {
    const names = parameters.flatMap(({ name, in: place }) => (place === 'query' && name ? [name] : []))
    const pairs = Array.from({ length: below(5) }, () => [
      below(5) && names.length ? oneOf(names) : hostileString(random),
      hostileString(random),
    ])
    return pairs.length ? `?${pairs.map((pair) => pair.map(toPath).join('=')).join('&')}` : ''
  }

  function createBody(schema: Schema | undefined): string {
    const { $ref, properties, items, enum: values, examples } = schema ?? {}
    if (!schema || !below(8)) return hostileJson(random)
    if ($ref) return createBody(contract.components.schemas[$ref.split('/').at(-1) ?? ''])
    if (items && !below(10)) return hostileArray(random)
    if (items) return `[${Array.from({ length: below(4) }, () => createBody(items)).join()}]`
    const known = values ?? examples
    if (!properties) return JSON.stringify(known && below(4) ? oneOf(known) : hostileString(random))
    const entries = Object.entries(properties).filter(() => below(4))
    return `{${entries.map(([name, property]) => `${JSON.stringify(name)}:${createBody(property)}`).join()}}`
  }

  function createRequest(): HttpInput {
    const operation = oneOf(OPERATIONS)
    const schema = operation.requestBody?.content['application/json']?.schema
    const body = schema || !below(10) ? createBody(schema) : ''
    const token = below(10) ? oneOf(tokens) : hostileString(random)
    const headers = {
      authorization: below(20) ? `Bearer ${token}` : token,
      'content-type': CONTENT_TYPES[0] ?? '',
    }
    if (!below(10)) headers['content-type'] = oneOf(CONTENT_TYPES)
    return {
      method: below(10) ? operation.method : oneOf(OTHER_METHODS),
      path: below(30)
        ? createPath(operation.path) + createQuery(operation)
        : `/${toPath(hostileString(random))}`,
      headers: toHeaders(below(10) ? headers : { ...headers, [oneOf(EXTRA_HEADERS)]: hostileString(random) }),
      body: below(10) ? Buffer.from(body) : breakBytes(body, random),
    }
  }

  return {
    name: 'service',
    concurrency: 16,
    createInput() {
      const request = createRequest()
      return {
        description: describeRequest(request),
        async run() {
          const status = await sendRequest(serviceUrl, request)
          return { outcome: String(status), isFault: status >= 500 && status !== 503 }
        },
      }
    },
  }
}

const EXTRA_HEADERS = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'range',
  'x-request-id',
  'if-match',
  'cookie',
  'via',
]

/** Some of the reserved characters stay, so that paths and queries are also broken. */
const toPath = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')
    .slice(0, 4000)

/** Node refuses to send control characters. */
const toHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/[^\t\x20-\x7e]/g, '').slice(0, 8000),
    ]),
  )

/** The ids of the projects, and of the records in them that can be listed. */
async function listIds(serviceUrl: string, token: string) {
  const get = async (path: string) => {
    const response = await fetch(serviceUrl + path, { headers: { authorization: `Bearer ${token}` } })
    return [...(await response.text()).matchAll(/"(?:Id|UserId)":"([^"]+)"/g)].map(([, id = '']) => id)
  }
  const projects = await get('/api/v1/projects')
  const paths = projects.flatMap((id) =>
    ['templates', 'sources'].map((list) => `/api/v1/projects/${id}/${list}`),
  )
  return { projects, others: (await Promise.all(paths.map(get))).flat() }
}
