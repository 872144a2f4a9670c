import { describe, expect, it } from 'vitest'
import { createApiFetch, UnsentRequestError } from '../../src/api-fetch.ts'
import { sendNetworkRequest } from '../../src/service/publishing/network-request.ts'
import { unreachableUrl } from '../support/servers.ts'

const FORM = new FormData()

/** A network to which every request fails with this error. */
const failWith = (error: Error) => ({
  fetch: () => Promise.reject(error),
  nodeFetch: () => Promise.reject(error),
})

const connectionError = (properties: object) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('failed'), properties) })

describe('a request to a network', () => {
  it.each([
    ['JSON', {}],
    ['a file', FORM],
  ])('is unsent if no connection could be made, with %s', async (_name, body) => {
    const runtime = { fetch: createApiFetch(), nodeFetch: fetch }
    expect(await sendNetworkRequest(runtime, await unreachableUrl(), { method: 'POST', body })).toEqual({
      kind: 'unsent',
      error: "couldn't be reached",
    })
  })

  it.each([
    ['the route to the network is lost', { code: 'EHOSTUNREACH', syscall: 'read' }],
    ['the network is gone', { code: 'ENETUNREACH', syscall: 'write' }],
    ['the encryption breaks', { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }],
    ['the connection is reset', { code: 'ECONNRESET', syscall: 'read' }],
  ])('may have arrived if %s after it was sent', async (_name, properties) => {
    const runtime = failWith(connectionError(properties))
    for (const body of [{}, FORM])
      expect(await sendNetworkRequest(runtime, 'http://127.0.0.1', { method: 'POST', body })).toEqual({
        kind: 'unclear',
        error: "didn't respond",
      })
  })

  it.each([
    ['the name of the network is unknown', connectionError({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
    ['the route is missing', connectionError({ code: 'EHOSTUNREACH', syscall: 'connect' })],
    [
      'none of its addresses can be reached',
      new TypeError('fetch failed', {
        cause: new AggregateError([
          Object.assign(new Error('connect ENETUNREACH'), { code: 'ENETUNREACH', syscall: 'connect' }),
          Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
        ]),
      }),
    ],
    ['its certificate has expired', connectionError({ code: 'CERT_HAS_EXPIRED' })],
  ])('is unsent if %s, with a file', async (_name, error) => {
    const response = await sendNetworkRequest(failWith(error), 'http://127.0.0.1', {
      method: 'POST',
      body: FORM,
    })
    expect(response.kind).toBe('unsent')
  })

  it('is unsent if fetch throws an UnsentRequestError', async () => {
    const runtime = failWith(new UnsentRequestError('The request was aborted before it was sent.'))
    expect((await sendNetworkRequest(runtime, 'http://127.0.0.1', {})).kind).toBe('unsent')
  })
})
