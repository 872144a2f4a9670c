import type { Api } from './api/client.ts'
import type { ApiFailure } from './api/result.ts'
import { type Poller, type PollerOptions, startPoller } from './jobs/poller.ts'
import { addMs, type Runtime } from './runtime.ts'

/** With DATABASE_URL set, the embedded service has no demo data, and so no token for the bot. */
export const MISSING_TOKEN =
  'Upnext has no token for the embedded service. Create one with "npm run service -- project add", "user add" and "token add", and set API_TOKEN.'

/** "refused" means that the settings are wrong, so trying again doesn't help. */
export type ServiceAccess = { kind: 'ok' | 'refused' | 'unavailable'; message: string }

/** Checks the URL and the token with one request. */
export async function checkServiceAccess(api: Api, url: string, now: Date): Promise<ServiceAccess> {
  const result = await api.projects.list({ deadline: addMs(now, ACCESS_TIMEOUT_MS) })
  if (result.kind === 'ok') return { kind: 'ok', message: `${url} answers and accepts the token.` }
  const { problem, serviceMessage, wrongSetting } = explainServiceFailure(result)
  const advice = wrongSetting === 'API_BASE_URL' ? ` ${BASE_URL_ADVICE}` : ''
  return {
    kind: wrongSetting ? 'refused' : 'unavailable',
    message: `${url} ${problem}${advice}${serviceMessage}`,
  }
}

/** When Upnext starts, it waits no longer than this for the service. */
const ACCESS_TIMEOUT_MS = 2000

const RETRY_INTERVAL_MS = 10_000

type ReportOptions = Pick<PollerOptions, 'log'> & { runtime: Runtime; api: Api; url: string }

/** Prints a message as soon as the service answers. Requests don't wait for this, as each one tries to reach the service. */
export function reportWhenServiceAnswers({ api, url, ...options }: ReportOptions): Poller {
  const poller = startPoller({
    ...options,
    name: 'check the scheduling service',
    intervalMs: RETRY_INTERVAL_MS,
    async task() {
      const access = await checkServiceAccess(api, url, options.runtime.now())
      if (access.kind !== 'ok') return false
      console.log(`service   ${access.message}`)
      void poller.stop()
      return false
    },
  })
  return poller
}

const BASE_URL_ADVICE = 'API_BASE_URL must be the URL of the scheduling service, without /api/v1.'

const MAX_QUOTE_LENGTH = 200

type Explanation = {
  problem: string
  /** The service's message, quoted. */
  serviceMessage: string
  /** The setting that has to change. Without one, the failure may go away on its own. */
  wrongSetting?: 'API_BASE_URL' | 'API_TOKEN'
}

/** Explains the service's response to the person who operates Upnext. */
export function explainServiceFailure(failure: ApiFailure): Explanation {
  const serviceMessage = 'message' in failure ? quote(failure.message) : ''
  switch (failure.kind) {
    case 'unauthorized':
      return {
        problem: 'rejected the token. Set API_TOKEN to a valid token.',
        serviceMessage: '', // The service's message may repeat the token.
        wrongSetting: 'API_TOKEN',
      }
    case 'forbidden':
      return {
        problem: 'forbids access with this token (status 403). Set API_TOKEN to a token that has access.',
        serviceMessage,
        wrongSetting: 'API_TOKEN',
      }
    case 'not-found':
      return { problem: 'has no such path (status 404).', serviceMessage, wrongSetting: 'API_BASE_URL' }
    case 'rejected': {
      const problem = `answered with status ${failure.status}.`
      const isRedirect = failure.status < 400
      return { problem, serviceMessage, ...(isRedirect && { wrongSetting: 'API_BASE_URL' }) }
    }
    case 'invalid':
      return { problem: 'rejected the request (status 422).', serviceMessage }
    case 'unsuccessful':
      return { problem: 'reported that the request failed.', serviceMessage }
    case 'rate-limited':
      return { problem: 'is limiting requests. Try again in a minute.', serviceMessage }
    case 'server-error':
      return { problem: `has a problem (status ${failure.status}). Check the service.`, serviceMessage }
    case 'unclear':
      return failure.cause === 'unreadable'
        ? { problem: "sent a response that can't be read.", serviceMessage, wrongSetting: 'API_BASE_URL' }
        : { problem: "didn't answer in time. Check the service and the network.", serviceMessage }
    case 'unreachable':
      return {
        problem: "can't be reached. Check the service and the network.",
        serviceMessage,
      }
  }
}

/** A service's message goes to a terminal, where control characters would have an effect. */
function quote(message: string | undefined): string {
  const text = message?.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_QUOTE_LENGTH)
  return text ? ` It said: ${text}` : ''
}
