import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { giveBackTaken, type RequestFacts, runForRequest } from '../platform/current-request.ts'
import { isAppError } from '../platform/errors.ts'
import { DatabaseCall, visitorLimitMs } from '../db/call.ts'
import { hasBody, isFormType, readBody } from './body.ts'
import { addressOf } from './canonical-address.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import { anyPattern, type Match, type Matcher } from './match.ts'
import { refuseForeignOrigin } from './origin.ts'
import { receiveForm } from './page-form.ts'
import type { RefusalPace } from './refusal-pace.ts'
import type { RequestLog } from './request-log.ts'
import { type PageCall, runPage } from './run-page.ts'
import { type RouteCall, runRoute } from './run-route.ts'
import { sendFile } from './send-file.ts'
import { sendError, sendMoved, sendResponse } from './send-response.ts'
import type { HttpApp, ServerParts } from './server-parts.ts'
import { Upload } from './upload.ts'

interface Serving<App extends HttpApp, Viewer> {
  app: App
  parts: ServerParts<App, Viewer>
  matcher: Matcher<App, Viewer>
  finished: FinishedAnswers<App, Viewer>
  log: RequestLog
  pace: RefusalPace
  addressOfCaller: (incoming: IncomingMessage) => string
}

/** One request without a finished answer: its match, its body, its answer or its error. */
export class ServedRequest<App extends HttpApp, Viewer> {
  /** The declaration that it meets, for the log. */
  pattern: string = anyPattern
  readonly #serving: Serving<App, Viewer>
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #facts: RequestFacts
  readonly #isRead: boolean
  #isUnread: boolean
  #closing: AbortSignal | undefined

  constructor(
    serving: Serving<App, Viewer>,
    { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
    requestId: string,
  ) {
    this.#serving = serving
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
    this.#isUnread = !this.#isRead && hasBody(incoming)
    const closing = (): AbortSignal => (this.#closing ??= closingOf(outgoing))
    this.#facts = {
      requestId,
      // Few ask, and as a rule only of writes.
      get address() {
        return serving.addressOfCaller(incoming)
      },
      get signal() {
        return closing()
      },
    }
  }

  answer(): void {
    const { app } = this.#serving
    runForRequest(this.#facts, () => this.#serve())
      .catch(async (error: unknown) => {
        // Nobody is there who could be answered.
        if (this.#closing?.aborted === true && error === this.#closing.reason) return
        await giveBackTaken(this.#facts, app.diskSpace.explain(error))
        this.#fail(error)
      })
      .finally(() => this.#facts.database?.answered())
  }

  #fail(thrown: unknown): void {
    const { app, log, pace } = this.#serving
    const isLast = this.#isUnread
    const error = app.diskSpace.explain(thrown)
    if (isAppError(error)) log.refused(error, this.#outgoing)
    // A body that breaks off is the caller's.
    else if (!isLast || !this.#incoming.readableAborted) log.failed(error, this.pattern)
    const send = (): void => sendError(this.#outgoing, error, { isLast })
    if (isAppError(error) && error.isCounted) void pace.answer(this.#outgoing, send)
    else send()
  }

  async #serve(): Promise<void> {
    const { app, matcher, addressOfCaller } = this.#serving
    const { method = 'GET', url = '/', headers } = this.#incoming
    const address = addressOf(url)
    const match = matcher.match(method, address.pathname, isFormType(headers['content-type']))
    this.pattern = match.pattern
    this.#facts.database = new DatabaseCall({ limitMs: limitOf(match), isWrite: !this.#isRead })
    const callerAddress = (): string => addressOfCaller(this.#incoming)
    if (match.kind === 'moved') {
      sendMoved(this.#outgoing, match.to + address.search)
      return
    }
    if (match.kind === 'page') {
      const declared = match.page?.form
      const form = this.#isRead || declared === undefined ? undefined : await receiveForm(app, this.#incoming, declared)
      const isCutOff = form?.refusal !== undefined && form.isUnread
      this.#isUnread = false
      if (isCutOff) this.#outgoing.setHeader('connection', 'close')
      await this.#answerWithPage({ ...match, url: address, callerAddress, form, method: method as PageCall['method'] })
      return
    }
    refuseForeignOrigin(app.config, this.#incoming)
    if (match.kind === 'nothing') throw match.error
    const call = { ...match, url: address, callerAddress }
    if (match.route.bodyKind === 'upload') await this.#takeUpload(call)
    else {
      const rawBody = await readBody(this.#incoming, match.route.maxBodyBytes)
      this.#isUnread = false
      await this.#answerWithRoute({ ...call, rawBody, upload: Readable.from([]) })
    }
  }

  /** A caller without access is refused before their file is read. */
  async #takeUpload(call: Omit<RouteCall<App, Viewer>, 'rawBody' | 'upload'>): Promise<void> {
    const { app, parts } = this.#serving
    const { maxBodyBytes: maxBytes } = call.route
    const onWhole = (): void => void (this.#isUnread = false)
    const beforePiece = (): Promise<void> => app.diskSpace.refuseStepWhenFull()
    const upload = new Upload(this.#incoming, { maxBytes, times: parts.uploadTimes, beforePiece, onWhole })
    await this.#answerWithRoute({ ...call, rawBody: Buffer.alloc(0), upload }).finally(() => upload.release())
  }

  async #answerWithRoute(call: RouteCall<App, Viewer>): Promise<void> {
    const { app, parts, finished } = this.#serving
    const answer = await runRoute(app, call, this.#exchange, parts, finished)
    if (this.#isUnread) this.#outgoing.setHeader('connection', 'close')
    if ('pieces' in answer) await sendFile(this.#exchange, answer)
    else sendResponse(this.#exchange, answer, app.compressions)
  }

  async #answerWithPage(call: PageCall): Promise<void> {
    const { app, parts, finished, log, pace } = this.#serving
    const reply = await runPage(app, call, parts, finished)
    if ('movedTo' in reply) {
      sendMoved(this.#outgoing, reply.movedTo)
      return
    }
    const { answer, refusal } = reply
    await giveBackTaken(this.#facts, refusal)
    const send = (): void => void sendResponse(this.#exchange, answer, app.compressions)
    if (refusal !== undefined) log.refused(refusal, this.#outgoing)
    if (refusal?.isCounted === true) void pace.answer(this.#outgoing, send)
    else send()
  }

  get #exchange() {
    const { addressOfCaller } = this.#serving
    return { incoming: this.#incoming, outgoing: this.#outgoing, addressOfCaller }
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
