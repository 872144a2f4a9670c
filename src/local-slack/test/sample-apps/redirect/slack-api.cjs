// Loaded into a Node program with `--require`. Sends its requests to slack.com to SLACK_API_URL: most sample apps don't
// read that variable. Older SDKs use node:https, newer ones fetch.
const http = require('node:http')
const https = require('node:https')
const { syncBuiltinESMExports } = require('node:module')

const local = new URL(process.env.SLACK_API_URL)
const isSlack = (host) => /^(www\.)?slack\.com$/.test(host ?? '')

const systemFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!isSlack(url.hostname)) return systemFetch(input, init)
  const target = new URL(url.pathname + url.search, local)
  return systemFetch(input instanceof Request ? new Request(target, input) : target, init)
}

const systemRequest = https.request
https.request = (...args) => {
  const url = typeof args[0] === 'string' || args[0] instanceof URL ? new URL(args.shift()) : undefined
  const options = typeof args[0] === 'function' ? {} : { ...args[0] }
  if (!isSlack(url?.hostname ?? options.hostname ?? options.host))
    return systemRequest(...(url ? [url] : []), ...args)
  const headers = Object.entries(options.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'host')
  const { method } = options
  const path = options.path ?? (url ? url.pathname + url.search : '/')
  const callback = args.find((arg) => typeof arg === 'function')
  const { hostname, port } = local
  return http.request({ method, path, hostname, port, headers: Object.fromEntries(headers) }, callback)
}
syncBuiltinESMExports()
