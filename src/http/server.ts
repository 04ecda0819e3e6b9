import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { clientAddressOf, readTrustedProxies } from '../platform/client-address.ts'
import { giveBackTaken, type RequestFacts, runForRequest } from '../platform/current-request.ts'
import { isAppError } from '../platform/errors.ts'
import { hasBody, isFormType, readBody } from './body.ts'
import { addressOf } from './canonical-address.ts'
import { DatabaseCall, visitorLimitMs } from '../db/call.ts'
import { openNodeServer } from './node-server.ts'
import { FinishedAnswers } from './finished-answers.ts'
import { answerHealth, probePaths } from './health.ts'
import { anyPattern, type Match, Matcher } from './match.ts'
import { refuseForeignOrigin } from './origin.ts'
import { commonHeaders, openReadyHeads } from './ready-heads.ts'
import { RefusalPace } from './refusal-pace.ts'
import { RequestLog } from './request-log.ts'
import { faultOfHost } from './refuse-host.ts'
import { receiveForm } from './page-form.ts'
import { type PageCall, runPage } from './run-page.ts'
import { type RouteCall, runRoute } from './run-route.ts'
import { sendFile } from './send-file.ts'
import { securityHeaders } from './security-headers.ts'
import { sendResponse, sendError, sendMoved } from './send-response.ts'
import type { HttpApp, ServerParts } from './server-parts.ts'
import { Upload } from './upload.ts'

export interface RunningServer {
  server: Server
  /** Takes no new connections, lets the requests under way finish, and resolves when the last one has. */
  stop(): Promise<void>
}

/** Makes the server; its caller listens. */
export async function openHttpServer<App extends HttpApp, Viewer>(
  app: App,
  parts: ServerParts<App, Viewer>,
): Promise<RunningServer> {
  const { routes, pages, readinessChecks: checks, readinessRemarks: remarks, tryReadyHeads = openReadyHeads } = parts
  const matcher = new Matcher(routes, pages, probePaths)
  const finished = await FinishedAnswers.open(app, { ...parts, matcher })
  const log = new RequestLog(() => app.log)
  const pace = new RefusalPace(app.limits)
  const trustedProxies = readTrustedProxies(app.config.trustedProxies)
  const addressOfCaller = ({ socket, headers }: IncomingMessage): string =>
    clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), trustedProxies)
  let isStopping = false

  // Names and values in turn: a finished answer is sent with one list of headers, without a call for each.
  const security = securityHeaders(app.config)
  const everywhere = security.flat()
  const common = commonHeaders(everywhere)
  const commonBesidePolicy = commonHeaders(security.filter(([name]) => name !== 'content-security-policy').flat())

  function receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const requestId = randomUUID()
    const { method = 'GET', url = '/', headers } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    const hostFault = faultOfHost(app.config, incoming)
    const answer = isRead && hostFault === undefined ? finished.peek(url, headers) : undefined
    if (answer !== undefined) {
      // It goes out at once and well: it is worth a line only where every request is.
      if (log.isDetailed) log.watch(incoming, outgoing, requestId, () => (finished.isAsset(url) ? url : patternOf(url)))
      const hasPolicy = answer.headers['content-security-policy'] !== undefined
      const company = { common: hasPolicy ? commonBesidePolicy : common, requestId, isLast: isStopping, readyHeads }
      sendResponse({ incoming, outgoing, addressOfCaller }, answer, app.compressions, company)
      return
    }
    const all = ['x-request-id', requestId, ...everywhere]
    if (isStopping) all.push('connection', 'close')
    for (let i = 0; i < all.length; i += 2) outgoing.setHeader(all[i] as string, all[i + 1] as string)
    let pattern: string = anyPattern
    log.watch(incoming, outgoing, requestId, () => pattern)
    if (hostFault !== undefined) {
      log.refused(hostFault, outgoing)
      sendError(outgoing, hostFault, { isLast: true })
      return
    }
    if (answerHealth({ app, checks, remarks, isStopping }, incoming, outgoing)) {
      pattern = url
      log.quiet(outgoing)
      return
    }
    const fail = (thrown: unknown, isLast: boolean): void => {
      const error = app.diskSpace.explain(thrown)
      if (isAppError(error)) log.refused(error, outgoing)
      // A body that breaks off is the caller's.
      else if (!isLast || !incoming.readableAborted) log.failed(error, pattern)
      const send = (): void => sendError(outgoing, error, { isLast })
      if (isAppError(error) && error.isCounted) void pace.answer(outgoing, send)
      else send()
    }
    let isUnread = !isRead && hasBody(incoming)
    let closing: AbortSignal | undefined
    const facts: RequestFacts = {
      requestId,
      // Few ask, and as a rule only of writes.
      get address() {
        return addressOfCaller(incoming)
      },
      get signal() {
        return (closing ??= closingOf(outgoing))
      },
    }
    runForRequest(facts, serve)
      .catch(async (error: unknown) => {
        // Nobody is there who could be answered.
        if (closing?.aborted === true && error === closing.reason) return
        await giveBackTaken(facts, app.diskSpace.explain(error))
        fail(error, isUnread)
      })
      .finally(() => facts.database?.answered())

    async function serve(): Promise<void> {
      const address = addressOf(url)
      const match = matcher.match(method, address.pathname, isFormType(headers['content-type']))
      pattern = match.pattern
      facts.database = new DatabaseCall({ limitMs: limitOf(match), isWrite: !isRead })
      const callerAddress = (): string => addressOfCaller(incoming)
      if (match.kind === 'moved') {
        sendMoved(outgoing, match.to + address.search)
        return
      }
      if (match.kind === 'page') {
        const form =
          isRead || match.page?.form === undefined ? undefined : await receiveForm(app, incoming, match.page.form)
        const isCutOff = form?.refusal !== undefined && form.isUnread
        isUnread = false
        if (isCutOff) outgoing.setHeader('connection', 'close')
        await answerWithPage({ ...match, url: address, callerAddress, form })
        return
      }
      refuseForeignOrigin(app.config, incoming)
      if (match.kind === 'nothing') throw match.error
      const call = { ...match, url: address, callerAddress }
      if (match.route.bodyKind === 'upload') await takeUpload(call)
      else {
        const rawBody = await readBody(incoming, match.route.maxBodyBytes)
        isUnread = false
        await answerWithRoute({ ...call, rawBody, upload: Readable.from([]) })
      }
    }

    /** A caller without access is refused before their file is read. */
    async function takeUpload(call: Omit<RouteCall<App, Viewer>, 'rawBody' | 'upload'>): Promise<void> {
      const { maxBodyBytes: maxBytes } = call.route
      const onWhole = (): void => void (isUnread = false)
      const beforePiece = (): Promise<void> => app.diskSpace.refuseStepWhenFull()
      const upload = new Upload(incoming, { maxBytes, times: parts.uploadTimes, beforePiece, onWhole })
      await answerWithRoute({ ...call, rawBody: Buffer.alloc(0), upload }).finally(() => upload.release())
    }

    async function answerWithRoute(call: RouteCall<App, Viewer>): Promise<void> {
      const exchange = { incoming, outgoing, addressOfCaller }
      const answer = await runRoute(app, call, exchange, parts, finished)
      if (isUnread) outgoing.setHeader('connection', 'close')
      if ('pieces' in answer) await sendFile(exchange, answer)
      else sendResponse(exchange, answer, app.compressions)
    }

    async function answerWithPage(call: Omit<PageCall, 'method'>): Promise<void> {
      const reply = await runPage(app, { ...call, method: method as PageCall['method'] }, parts, finished)
      if ('movedTo' in reply) sendMoved(outgoing, reply.movedTo)
      else {
        const { answer, refusal } = reply
        await giveBackTaken(facts, refusal)
        const send = (): void => sendResponse({ incoming, outgoing, addressOfCaller }, answer, app.compressions)
        if (refusal !== undefined) log.refused(refusal, outgoing)
        if (refusal?.isCounted === true) void pace.answer(outgoing, send)
        else send()
      }
    }
  }

  const patternOf = (url: string): string => matcher.match('GET', addressOf(url).pathname).pattern

  const { server, stop } = openNodeServer(receive, everywhere, () => log.connectionRefused())
  const readyHeads = await tryReadyHeads(server)
  if (readyHeads === undefined)
    app.log.warn(
      'Prepared response heads do not work with this Node version: cached responses are sent in the usual, slower way.',
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

/** Aborted when the connection of an answer closes before the answer is out. */
function closingOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => {
    if (!outgoing.writableFinished) controller.abort()
  }
  if (outgoing.destroyed) abort()
  else outgoing.once('close', abort)
  return controller.signal
}

/** An administrator, and a machine that sends signed events, may wait as long as the server lets them. */
function limitOf<App, Viewer>(match: Match<App, Viewer>): number | undefined {
  const isPatient = match.kind === 'route' && (match.route.access === 'admin' || match.route.bodyKind === 'raw')
  return isPatient ? undefined : visitorLimitMs
}
