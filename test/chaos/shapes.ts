/** A record as our service returns it. */
type ServiceRecord = Record<string, unknown>

type Envelope = { success?: boolean; data?: unknown }

type Shape = {
  record: (record: ServiceRecord) => unknown
  list: (items: unknown[], total: unknown) => unknown
  /** What a creation is answered with. */
  created: (record: ServiceRecord) => unknown
}

const toSnakeCase = (name: string): string => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()

const withSnakeCase = (record: ServiceRecord): ServiceRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [toSnakeCase(name), value]))

const seconds = (date: unknown): unknown => (typeof date === 'string' ? Date.parse(date) / 1000 : date)

const lowerCase = (names: unknown): unknown =>
  Array.isArray(names) ? names.map((name) => String(name).toLowerCase()) : names

/** How other services may answer. `own` changes nothing. */
const SHAPES: Record<string, Shape | undefined> = {
  own: undefined,
  /** Other names, dates in seconds, platforms in lower case, and creations that are answered with the id alone. */
  foreign: {
    record({ Content, ScheduleDate, Platforms, ...rest }) {
      const post =
        Content === undefined
          ? {}
          : { message: Content, publish_at: seconds(ScheduleDate), channels: lowerCase(Platforms) }
      return { ...withSnakeCase(rest), ...post }
    },
    list: (items, total) => ({ items, total_count: total }),
    created: ({ Id }) => ({ id: Id }),
  },
  /** Records in objects, local times, texts with entities, and creations that say only that they succeeded. */
  wrapped: {
    record({ ScheduleDate, Content, ...rest }) {
      const post = typeof ScheduleDate === 'string' && {
        ScheduleDate: ScheduleDate.slice(0, 19).replace('T', ' '),
      }
      const text = typeof Content === 'string' && { content: { text: Content.replaceAll('!', '&#33;') } }
      return { record: { ...rest, ...post, ...text } }
    },
    list: (items) => ({ page: { results: items } }),
    created: () => ({ success: true }),
  },
}

export const SHAPE_NAMES = Object.keys(SHAPES)

export type Reshape = (method: string, body: string) => string

/** Rewrites the service's successful responses. */
export function createReshape(name: string): Reshape {
  if (!SHAPE_NAMES.includes(name))
    throw new Error(`There is no shape "${name}". Choose ${SHAPE_NAMES.join(', ')}.`)
  const shape = SHAPES[name]
  if (!shape) return (_method, body) => body
  return (method, body) => {
    if (!body) return body
    const { success, data } = JSON.parse(body) as Envelope
    return success ? JSON.stringify(reshapeData(shape, method, data)) : body
  }
}

function reshapeData(shape: Shape, method: string, data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  const { Items, Total } = data as { Items?: ServiceRecord[]; Total?: unknown }
  if (Items) return shape.list(Items.map(shape.record), Total)
  return method === 'POST' ? shape.created(data as ServiceRecord) : shape.record(data as ServiceRecord)
}
