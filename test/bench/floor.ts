import { createServer } from 'node:http'
import pg from 'pg'

/**
 * The floor for the benchmarks: the service's SQL with named statements and one JSON.stringify. It doesn't authenticate,
 * check or log anything.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
const PROJECT_ID = process.argv[3]

const POSTS = 'from service.post where project_id = $1'

const list = (condition: string) => `
  select page.*, total
    from (select count(*) as total from (select ${POSTS} and ${condition} limit 1001) counted) counts
    left join (select * ${POSTS} and ${condition} order by schedule_date, id limit 20) page on true
    order by schedule_date, id`

const change = (statement: string, action: string) => `
  with changed as (${statement} returning *),
    logged as (
      insert into service.log (project_id, level, action, message, actor, target_id, created_at)
      select project_id, 'INFO', '${action}', 'A message of the bench', 'bench@upnext.example', id, now() from changed
    )
  select * from changed`

const STATEMENTS = {
  list: list('true'),
  filtered: list(
    "status = 'SCHEDULED' and platforms && array['X', 'LINKEDIN'] and schedule_date >= timestamptz '2030-01-01'",
  ),
  next: `select * ${POSTS} and status = 'SCHEDULED' order by schedule_date, id limit 1`,
  create: change(
    `insert into service.post (project_id, content, schedule_date, timezone, platforms, status)
     values ($1, $2, $3, $4, $5, $6)`,
    'post.created',
  ),
  update: change(
    `update service.post set content = $3, schedule_date = $4, timezone = $5, platforms = $6, status = $7,
       version = version + 1
     where project_id = $1 and id = $2 and version = 1 and status <> 'PUBLISHED'`,
    'post.updated',
  ),
  delete: change(
    `delete from service.post where project_id = $1 and id = $2 and version = 1 and status <> 'PUBLISHED'`,
    'post.deleted',
  ),
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const [name, id] = (request.url ?? '').slice(1).split('/') as [keyof typeof STATEMENTS, string?]
    const post = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    const columns = post ? [post.Content, post.ScheduleDate, post.Timezone, post.Platforms, post.Status] : []
    const values = [PROJECT_ID, ...(id ? [id] : []), ...columns]
    const { rows } = await pool.query({ name, text: STATEMENTS[name], values })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: rows, success: true }))
  })
})
server.listen(0, '127.0.0.1', () => console.log(`ready ${JSON.stringify(server.address())}`))
