import { createServer } from 'node:http'

/** The baseline: what Node does with a request when nothing is done with it. */
const answer = JSON.stringify({ data: null, success: true })

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(answer)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`ready ${JSON.stringify(server.address())}`))
