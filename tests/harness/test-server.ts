import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../../src/app/app.ts'
import type { Pages } from '../../src/http/pages/pages.ts'
import { openServer, type RunningServer } from '../../src/app/server.ts'
import { sendRequest, type TestResponse, decode, type TestRequest } from './request.ts'
import { holdAnswer } from './hold-answer.ts'
import { keepOpen, openTestApp, type TestApp, type TestAppOptions } from './test-app.ts'

const build = resolve(import.meta.dirname, '../../build')

/** The fields of an item in lists, as far as tests read them. */
export interface WireItem {
  id: string
  name: string
  slug: string
  category: string
  contentType: string
  region: string
  postDate: string
}

export interface TestServer extends TestApp, Pick<RunningServer, 'server' | 'stop'> {
  /** `http://127.0.0.1:…`, without a slash at the end. */
  url: string
  /** A request as it is written. The answer must satisfy the schemas of its route. */
  request(path: string, question?: TestRequest): Promise<TestResponse>
  /** A request with the site's client key. */
  call(path: string, question?: TestRequest): Promise<TestResponse>
  /** A search that must succeed, decoded. */
  search(query: string): Promise<{
    items: WireItem[]
    totalPages: number
    nearest: WireItem[] | undefined
    didYouMean: { text: string; count: number }[] | undefined
  }>
  /** A detail call that must succeed, decoded. */
  item(path: string): Promise<{ status: number; item: unknown }>
}

/** The server of a test file (`keepOpen`). */
export function serverOfFile(options: TestAppOptions = {}): TestServer {
  return keepOpen(() => openTestServer(options))
}

/** The whole server on a free port, over a test application, with the built pages. */
export async function openTestServer(overrides: TestAppOptions = {}): Promise<TestServer> {
  const testApp = await openTestApp(overrides)
  const { app, clock, database } = testApp
  const { openPages } = (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as {
    openPages: (app: App) => Pages
  }
  const { server, stop } = await openServer(app, { pages: openPages(app), assetsDirectory: join(build, 'client') })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.')
  const url = `http://127.0.0.1:${address.port}`

  async function requestHeld(path: string, query?: TestRequest): Promise<TestResponse> {
    const answer = await sendRequest(url + path, query)
    // A HEAD has no body that could be held.
    if (query?.method !== 'HEAD') {
      holdAnswer(query?.method ?? 'GET', url + path, answer, query?.headers?.['content-type'])
    }
    return answer
  }

  const call = (path: string, query: TestRequest = {}): Promise<TestResponse> =>
    requestHeld(path, { ...query, headers: { 'api-key': app.config.clientApiKey, ...query.headers } })

  async function succeed(path: string): Promise<unknown> {
    const answer = await call(path)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return decode((answer.json() as { data: unknown }).data)
  }

  return {
    app,
    clock,
    database,
    server,
    stop,
    url,
    request: requestHeld,
    call,
    async search(query) {
      const found = await succeed(`/universal-search/search?${query}`)
      const { data, ...rest } = found as {
        data: WireItem[]
        totalPages: number
        nearest?: WireItem[]
        didYouMean?: { text: string; count: number }[]
      }
      return { items: data, nearest: undefined, didYouMean: undefined, ...rest }
    },
    async item(path) {
      return { status: 200, item: await succeed(path) }
    },
    async close() {
      const stopped = stop()
      // Nobody sends anything any more: the stop of a site behind a proxy need not wait for that.
      server.closeIdleConnections()
      await stopped
      await testApp.close()
    },
    [Symbol.asyncDispose](this: TestServer) {
      return this.close()
    },
  }
}
