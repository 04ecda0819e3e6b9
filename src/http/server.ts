import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { clientAddressOf, readTrustedProxies } from '../platform/client-address.ts'
import { addressOf } from './canonical-address.ts'
import { openNodeServer } from './node-server.ts'
import { FinishedAnswers } from './finished-answers.ts'
import { answerHealth, probePaths } from './health.ts'
import { Matcher } from './match.ts'
import { isShownPlainly, plainPage } from './pages/plain-page.ts'
import { commonHeaders, openReadyHeads } from './ready-heads.ts'
import { RefusalPace } from './refusal-pace.ts'
import { RequestLog } from './request-log.ts'
import { faultOfHost } from './refuse-host.ts'
import { securityHeaders } from './security-headers.ts'
import { sendError, sendResponse } from './send-response.ts'
import { ServedRequest } from './served-request.ts'
import type { HttpApp, ServerParts } from './server-parts.ts'

export interface RunningServer {
  server: Server
  /** Takes no new connections, lets the requests under way finish, and resolves when the last one has. */
  stop(): Promise<void>
}

/** Stands for every one of the browser's files. */
const assetPattern = '/assets/*'

/** Makes the server; its caller listens. */
export async function openHttpServer<App extends HttpApp, Viewer>(
  app: App,
  parts: ServerParts<App, Viewer>,
): Promise<RunningServer> {
  const { routes, pages, readinessChecks: checks, readinessRemarks: remarks, tryReadyHeads = openReadyHeads } = parts
  const matcher = new Matcher(routes, pages, probePaths)
  const finished = await FinishedAnswers.open(app, { ...parts, matcher })
  const log = new RequestLog(() => app.log, app.traffic)
  const trustedProxies = readTrustedProxies(app.config.trustedProxies)
  const addressOfCaller = ({ socket, headers }: IncomingMessage): string =>
    clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), trustedProxies)
  const serving = { app, parts, matcher, finished, log, pace: new RefusalPace(app.limits), addressOfCaller }
  let isStopping = false
  /** The name that was asked last and is answered: callers ask for the same one again and again. */
  let knownHost: string | undefined

  // Names and values in turn: a finished answer is sent with one list of headers, without a call for each.
  const security = securityHeaders(app.config)
  const everywhere = security.flat()
  const common = commonHeaders(everywhere)
  const commonBesidePolicy = commonHeaders(security.filter(([name]) => name !== 'content-security-policy').flat())

  function receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const requestId = randomUUID()
    const { method = 'GET', url = '/', headers } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    const isKnownHost = app.config.publicUrlIsSet || headers.host === knownHost
    const hostFault = faultOfHost({ publicUrlIsSet: isKnownHost }, incoming)
    if (hostFault === undefined) knownHost = headers.host
    const answer = isRead && hostFault === undefined ? finished.peek(url, headers) : undefined
    if (answer !== undefined) {
      // It goes out at once and well: it is worth a line only where every request is.
      const isWatched = log.isDetailed || method !== 'GET'
      if (isWatched) log.watch(incoming, outgoing, requestId, () => patternOf(url))
      const hasPolicy = answer.headers['content-security-policy'] !== undefined
      const company = { common: hasPolicy ? commonBesidePolicy : common, requestId, isLast: isStopping, readyHeads }
      const status = sendResponse({ incoming, outgoing, addressOfCaller }, answer, app.compressions, company)
      if (!isWatched) app.traffic.finished(answer, status, () => patternOf(url))
      return
    }
    const all = ['x-request-id', requestId, ...everywhere]
    if (isStopping) all.push('connection', 'close')
    for (let i = 0; i < all.length; i += 2) outgoing.setHeader(all[i] as string, all[i + 1] as string)
    const request = new ServedRequest(serving, { incoming, outgoing }, requestId)
    log.watch(incoming, outgoing, requestId, () => request.pattern)
    if (hostFault !== undefined) {
      log.refused(hostFault, outgoing)
      // A browser says nothing else of itself: this address is no secure one.
      if (isRead && headers.accept?.startsWith('text/html') === true && isShownPlainly(hostFault)) {
        outgoing.setHeader('connection', 'close')
        sendResponse({ incoming, outgoing, addressOfCaller }, plainPage(hostFault), app.compressions)
      } else {
        sendError(outgoing, hostFault, { isLast: true })
      }
      return
    }
    if (answerHealth({ app, checks, remarks, isStopping }, incoming, outgoing)) {
      request.pattern = url
      log.quiet(outgoing)
      return
    }
    request.answer()
  }

  const patternOf = (url: string): string =>
    finished.isAsset(url) ? assetPattern : matcher.match('GET', addressOf(url).pathname).pattern

  const { server, stop } = openNodeServer(receive, {
    headers: everywhere,
    hasProxy: trustedProxies.length > 0,
    onShortage: () => log.connectionRefused(),
  })
  const readyHeads = tryReadyHeads(server)
  if (readyHeads === undefined)
    app.log.warn(
      'Prepared response heads are not used with this version of Node: cached responses are sent in the usual, slower way.',
    )

  return {
    server,
    async stop() {
      isStopping = true
      await stop()
      log.flush()
    },
  }
}
