import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { App } from '../../src/app/app.ts'
import type { Pages } from '../../src/http/pages/pages.ts'
import { fileReply, jsonReply } from '../../src/http/reply.ts'
import { declareRoutes, FileAnswer } from '../../src/http/route.ts'
import { openHttpServer, type RunningServer } from '../../src/http/server.ts'
import { AppError } from '../../src/platform/errors.ts'
import { sendRequest } from '../harness/request.ts'
import { openTestApp, type TestApp } from '../harness/test-app.ts'

/** Files that come and go, at a server whose routes do nothing else. */

/** A busy machine takes its time. */
const patience = { timeout: 30_000 }
const shortTimes = { silentMs: 300, wholeMs: 2_000 }
/** Those of the server, which a test may change for its time. */
const uploadTimes = { ...shortTimes }
const maxBytes = 4 * 1024 * 1024

interface Seen {
  begun: number
  bytes: number
  whole: number
  made: number
  ended: number
  failures: unknown[]
}

const nothingSeen = (): Seen => ({ begun: 0, bytes: 0, whole: 0, made: 0, ended: 0, failures: [] })

/** The routes' calls in this test. A call that outlasts its test goes on counting for it alone. */
let seen = nothingSeen()

const route = declareRoutes<App, string>()
const facts = { caching: 'never', summary: 'Test.' } as const

const routes = [
  route({
    ...facts,
    access: 'admin',
    method: 'POST',
    path: '/upload',
    bodyKind: 'upload',
    maxBodyBytes: maxBytes,
    answers: { 200: z.object({}) },
    async handle(_app, { upload, header }) {
      const own = seen
      own.begun += 1
      if (header('x-look') === 'no') return jsonReply({ bytes: 0 })
      try {
        for await (const piece of upload) {
          own.bytes += piece.length
          if (header('x-defect') !== undefined) throw new Error('A defect.')
          await sleep(Number(header('x-slow') ?? 0))
        }
      } catch (error) {
        own.failures.push(error)
        throw error
      }
      own.whole += 1
      return jsonReply({ bytes: own.bytes })
    },
  }),
  route({
    ...facts,
    access: 'anyone',
    method: 'GET',
    path: '/file/:pieces/:end',
    answers: { 200: new FileAnswer('text/plain') },
    handle: async (_app, { params }) =>
      fileReply(pieces(Number(params.pieces), params.end), { mediaType: 'text/plain', name: 'made.txt' }),
  }),
]

const piece = 'x'.repeat(64 * 1024)

async function* pieces(count: number, end: string): AsyncGenerator<string> {
  const own = seen
  try {
    for (let i = 0; i < count; i += 1) {
      own.made += 1
      yield piece
      await sleep(0)
    }
    if (end === 'refused') throw new AppError({ code: 'test.refused', status: 409, message: 'Not now.' })
    if (end === 'broken') throw new Error('A defect in the middle.')
  } finally {
    own.ended += 1
  }
}

let testApp: TestApp
let running: RunningServer
let url: string

beforeAll(async () => {
  testApp = await openTestApp()
  running = await openHttpServer<App, string>(testApp.app, {
    routes,
    pages: [],
    renderer: {} as Pages,
    assetsDirectory: import.meta.dirname,
    content: testApp.app.listing,
    readinessChecks: [],
    readinessRemarks: [],
    recogniseViewer: async (_app, authorization) => authorization ?? 'nobody',
    contactEmail: () => '',
    anonymous: 'nobody',
    policy: {
      rolesOf: (viewer) => (viewer === 'admin' ? ['member', 'admin'] : viewer === 'nobody' ? [] : ['member']),
      provedAt: () => testApp.clock.now(),
    },
    uploadTimes,
  })
  await new Promise<void>((listening) => running.server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(running.server.address() as AddressInfo).port}`
})
beforeEach(() => {
  seen = nothingSeen()
})
afterAll(async () => {
  await running.stop()
  await testApp.close()
})

/** The messages of what is logged as a defect from now on. */
function watchDefects(): string[] {
  const messages: string[] = []
  vi.spyOn(testApp.app.log, 'error').mockImplementation((facts: unknown) => {
    const { err } = facts as { err?: Error }
    if (err !== undefined) messages.push(err.message)
  })
  return messages
}

function upload(headers: Record<string, string> = {}): ClientRequest {
  const sent = request(`${url}/upload`, {
    method: 'POST',
    agent: false,
    headers: { authorization: 'admin', ...headers },
  })
  sent.on('error', () => undefined)
  return sent
}

async function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

describe('an upload', () => {
  test.each([
    ['nobody', 401],
    ['member', 403],
  ])('of %s is refused with %i before a byte of it is read', async (who, status) => {
    const sent = upload({ authorization: who, 'content-length': String(maxBytes) })
    sent.write('a,b\n')
    const response = await answerOf(sent)
    expect(response.statusCode).toBe(status)
    expect(response.headers.connection).toBe('close')
    expect(seen).toMatchObject({ begun: 0, bytes: 0 })
    sent.destroy()
  })

  test('reaches its route in pieces, as it arrives', async () => {
    const sent = upload({ 'transfer-encoding': 'chunked' })
    sent.write(Buffer.alloc(100_000))
    await vi.waitFor(() => expect(seen.bytes).toBe(100_000), patience)
    expect(seen.whole).toBe(0)
    sent.end(Buffer.alloc(50_000))
    expect((await answerOf(sent)).statusCode).toBe(200)
    expect(seen).toMatchObject({ bytes: 150_000, whole: 1 })
  })

  test('may be exactly as large as its route says, and one byte more is refused', async () => {
    const whole = await sendRequest(`${url}/upload`, {
      method: 'POST',
      headers: { authorization: 'admin' },
      body: Buffer.alloc(maxBytes),
    })
    expect(whole.json()).toEqual({ bytes: maxBytes })
    const said = upload({ 'content-length': String(maxBytes + 1) })
    said.flushHeaders()
    expect((await answerOf(said)).statusCode).toBe(413)
    expect(seen.begun).toBe(1)
    const unsaid = upload({ 'transfer-encoding': 'chunked' })
    unsaid.end(Buffer.alloc(maxBytes + 1))
    expect((await answerOf(unsaid)).statusCode).toBe(413)
    expect(seen.whole).toBe(1)
  })

  test('waits for its route: what is not asked for is not read', async () => {
    const sent = upload({ 'content-length': String(maxBytes), 'x-slow': '150' })
    let isSent = false
    sent.end(Buffer.alloc(maxBytes), () => (isSent = true))
    await vi.waitFor(() => expect(seen.bytes).toBeGreaterThan(0), patience)
    await sleep(100)
    expect(seen.bytes).toBeLessThan(maxBytes / 4)
    expect(isSent).toBe(false)
    sent.destroy()
  })

  test('that falls silent is refused with 408, and so is one that takes too long', async () => {
    const silent = upload({ 'content-length': '1000' })
    silent.write('a')
    expect((await answerOf(silent)).statusCode).toBe(408)
    const endless = upload({ 'transfer-encoding': 'chunked' })
    const timer = setInterval(() => endless.write('a'), 50)
    expect((await answerOf(endless)).statusCode).toBe(408)
    clearInterval(timer)
    expect(seen.whole).toBe(0)
  })

  test('may take longer than a small body', async () => {
    const { requestTimeout, headersTimeout } = running.server
    // Node looks once a second.
    Object.assign(running.server, { requestTimeout: 200, headersTimeout: 200 })
    // On a busy machine it takes longer than the pauses are.
    Object.assign(uploadTimes, { silentMs: 60_000, wholeMs: 60_000 })
    try {
      const sent = upload({ 'content-length': '16' })
      const answered = answerOf(sent)
      for (let i = 0; i < 8; i += 1) {
        sent.write('ab')
        await sleep(200)
      }
      expect((await answered).statusCode).toBe(200)
    } finally {
      Object.assign(running.server, { requestTimeout, headersTimeout })
      Object.assign(uploadTimes, shortTimes)
    }
  })

  test('that breaks off fails in its route and is no defect; a defect of its route is one', async () => {
    const defects = watchDefects()
    const sent = upload({ 'content-length': '1000' })
    sent.write('a')
    await vi.waitFor(() => expect(seen.bytes).toBe(1), patience)
    sent.destroy()
    await vi.waitFor(() => expect(seen.failures).toHaveLength(1), patience)
    expect(seen.whole).toBe(0)
    expect(defects).toEqual([])
    const other = upload({ 'content-length': '1000', 'x-defect': 'yes' })
    other.write('a')
    expect((await answerOf(other)).statusCode).toBe(500)
    expect(defects).toEqual(['A defect.'])
    other.destroy()
  })

  test('that its route does not read ends the connection with the answer', async () => {
    const sent = upload({ 'content-length': '1000', 'x-look': 'no' })
    sent.write('a')
    const response = await answerOf(sent)
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close'])
    sent.destroy()
  })
})

describe('a file', () => {
  const open = async (path: string): Promise<IncomingMessage> => {
    const [response] = (await once(get(`${url}${path}`, { agent: false }), 'response')) as [IncomingMessage]
    return response
  }

  test('is sent as it is made, under its name', async () => {
    const answer = await sendRequest(`${url}/file/3/well`)
    expect(answer.text).toBe(piece.repeat(3))
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename="made.txt"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(seen.ended).toBe(1)
  })

  test('without a piece is empty, and HEAD gets the headers alone', async () => {
    expect((await sendRequest(`${url}/file/0/well`)).bytes).toHaveLength(0)
    const head = await sendRequest(`${url}/file/9/well`, { method: 'HEAD' })
    expect([head.status, head.bytes.length, head.headers['content-type']]).toEqual([200, 0, 'text/plain'])
    await vi.waitFor(() => expect(seen.ended).toBe(2), patience)
    expect(seen.made).toBeLessThan(9)
  })

  test('that fails before its first piece is an error like others', async () => {
    const answer = await sendRequest(`${url}/file/0/refused`)
    expect([answer.status, answer.json()]).toEqual([409, expect.objectContaining({ code: 'test.refused' })])
  })

  test('that fails later breaks the connection, and the log says why', async () => {
    const defects = watchDefects()
    await expect(sendRequest(`${url}/file/3/broken`)).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(defects).toEqual(['A defect in the middle.']), patience)
  })

  test('is made no faster than it is read, and ends when its reader goes away', async () => {
    const defects = watchDefects()
    const response = await open('/file/5000/well')
    await once(response, 'readable')
    // Until nothing more is made, as nobody reads.
    let made: number
    do {
      ;({ made } = seen)
      await sleep(300)
    } while (made !== seen.made)
    expect(made).toBeLessThan(500)
    response.destroy()
    await vi.waitFor(() => expect(seen.ended).toBe(1), patience)
    expect(seen.made).toBeLessThan(5000)
    expect(defects).toEqual([])
  })
})
