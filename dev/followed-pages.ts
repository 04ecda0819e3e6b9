import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { inspect, stripVTControlCharacters } from 'node:util'
import { createServer, isRunnableDevEnvironment, type ViteDevServer } from 'vite'
import type { PageSource } from '../src/app/page-source.ts'
import type { Pages } from '../src/http/pages/pages.ts'
import type { App } from '../src/app/app.ts'
import { isLoopback } from '../src/platform/is-loopback.ts'

const root = join(import.meta.dirname, '..')

/** The addresses of Vite; every other one is the site's. */
const isVites = /^\/(@|(src|dev|node_modules)\/|__open-in-editor)/

interface PageModule {
  openPages(app: App, mode: 'development'): Pages
}

/**
 * The pages as their sources are at the moment of a request. The browser's half comes from Vite, which also tells open
 * pages what has changed.
 */
export function followedPages(): PageSource {
  let app: App | undefined
  let loadModule: (() => Promise<PageModule>) | undefined
  let module: PageModule | undefined
  let pages: Pages | undefined

  /** @throws what is wrong with a source */
  const load = async (): Promise<void> => {
    const loaded = await loadModule?.()
    if (loaded === undefined || app === undefined) throw new Error('The pages are not attached to a server yet.')
    if (loaded === module) return
    pages = loaded.openPages(app, 'development')
    module = loaded
  }

  return {
    assetsDirectory: join(root, 'public'),
    open(given) {
      if (given.config.hosts.some((host) => !isLoopback(host)))
        throw new Error('npm run dev shows sources to whoever can reach it. Unset HOST: it is for this machine alone.')
      app = given
      return Promise.resolve({
        build: 'development',
        async render(request, scope, pattern, visit) {
          await load()
          if (pages === undefined) throw new Error('The pages could not be opened.')
          return pages.render(request, scope, pattern, visit)
        },
      })
    },
    async attach(server) {
      const vite = await openVite(server)
      const { ssr } = vite.environments
      if (!isRunnableDevEnvironment(ssr)) throw new Error('The environment ssr of Vite runs no modules.')
      loadModule = () => ssr.runner.import<PageModule>('/src/pages.server.ts')
      standBefore(server, vite, load)
      return () => vite.close()
    },
  }
}

async function openVite(server: Server): Promise<ViteDevServer> {
  return createServer({
    root,
    mode: 'development',
    appType: 'custom',
    clearScreen: false,
    logLevel: 'warn',
    css: { devSourcemap: true },
    server: {
      middlewareMode: true,
      ws: { server },
      // Not the whole folder: the data directory may stand in it.
      fs: { strict: true, allow: ['src', 'dev', 'node_modules'].map((folder) => join(root, folder)) },
      watch: { ignored: ['**/data/**', '**/build/**', '**/build.*/**', '**/.react-router/**'] },
    },
  })
}

/** Answers Vite's requests, and has every page opened anew whose sources have changed. */
function standBefore(server: Server, vite: ViteDevServer, load: () => Promise<void>): void {
  const [site] = server.listeners('request') as RequestListener[]
  if (site === undefined) throw new Error('The server answers no requests yet.')
  server.off('request', site)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isVites.test(request.url ?? '')) {
      vite.middlewares(request, response, (error?: unknown) => {
        // Vite has told open pages what is wrong with the source.
        response.writeHead(error === undefined ? 404 : 500, { 'content-type': 'text/plain; charset=utf-8' })
        response.end(error === undefined ? undefined : stripVTControlCharacters(inspect(error)))
      })
      return
    }
    suitHeaders(response)
    if (!asksForPage(request)) {
      site(request, response)
      return
    }
    load().then(
      () => site(request, response),
      (error: unknown) => {
        if (error instanceof Error) vite.ssrFixStacktrace(error)
        process.stderr.write(`\n${inspect(error)}\n`)
        response.writeHead(500, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
        response.end(brokenPage(error))
      },
    )
  })
}

function asksForPage({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return headers.accept?.includes('text/html') === true || /\.data(\?|$)/.test(url)
}

/** A page that comes back by itself once the source is mended. */
function brokenPage(error: unknown): string {
  const reported = stripVTControlCharacters(inspect(error)).replace(/[&<]/g, (character) =>
    character === '&' ? '&amp;' : '&lt;',
  )
  return `<!doctype html><meta charset="utf-8"><title>A source is broken</title>
<script type="module" src="/@vite/client"></script>
<h1>A source is broken</h1><pre>${reported}</pre>`
}

/**
 * In development the site's policy is laxer: Vite puts styles into an open page and looks for its server from a worker,
 * and it and the development React write markup of their own, so Trusted Types are of the build alone. There is no
 * build that a page could mistake either.
 */
function suitHeaders(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => setHeader(name, typeof value === 'string' ? suited(name, value) : value)
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    headers?: OutgoingHttpHeaders | string[],
  ) => ServerResponse
  response.writeHead = ((status: number, given?: OutgoingHttpHeaders | string[]) => {
    if (given === undefined) return writeHead(status)
    if (Array.isArray(given)) {
      const pairs = given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1] ?? ''] as const] : []))
      return writeHead(
        status,
        pairs.filter(([name]) => name !== 'x-build').flatMap(([name, value]) => [name, suited(name, value)]),
      )
    }
    const headers = Object.entries(given).filter(([name]) => name !== 'x-build')
    return writeHead(
      status,
      Object.fromEntries(
        headers.map(([name, value]) => [name, typeof value === 'string' ? suited(name, value) : value]),
      ),
    )
  }) as typeof response.writeHead
}

function suited(name: string, value: string): string {
  return name.toLowerCase() === 'content-security-policy'
    ? value
        .replace(/style-src 'self'(?=;|$)/, "style-src 'self' 'unsafe-inline'; worker-src blob:")
        .replace(/; require-trusted-types-for 'script'; trusted-types [^;]*/, '')
    : value
}
