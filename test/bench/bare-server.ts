import { createServer } from 'node:http'

/** The baseline for the benchmarks: a server that does nothing but respond. */
const body = JSON.stringify({ data: null, success: true })

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`ready ${JSON.stringify(server.address())}`))
