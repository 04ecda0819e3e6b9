import { buildHeader } from '../../http/pages/page-headers.ts'
import { frameCache, isKeptOffline, keepFilesOf, keepPage, offlinePath } from './kept-pages.ts'

/*
 * Keeps the site readable without a connection: its frame, the pages read last, and the pages of saved entries
 * (docs/spec/offline.md). While there is a connection every page comes from the server, so nothing that was removed is shown.
 */

/** The part of a service worker that is used here. The compiler knows either these or those of a page. */
interface Worker {
  addEventListener(type: 'install' | 'activate', act: (event: WorkerEvent) => void): void
  addEventListener(type: 'message', act: (event: MessageEvent) => void): void
  addEventListener(type: 'fetch', act: (event: FetchEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}
interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}

const worker = globalThis as unknown as Worker

worker.addEventListener('install', (event) => event.waitUntil(keepFrame()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  // An answer to a bearer is never looked at.
  if (request.method !== 'GET' || url.origin !== location.origin || request.headers.has('authorization')) return
  if (request.mode === 'navigate') event.respondWith(readPage(event, url))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(readFile(request))
  else if (url.pathname.startsWith('/covers/')) event.respondWith(fetch(request).catch(() => copyOf(request)))
  else if (url.pathname.endsWith('.data')) event.respondWith(fetch(request).catch(() => loadWhole(url)))
})

async function keepFrame(): Promise<void> {
  const answer = await fetch(offlinePath)
  if (answer.status !== 200) throw new Error(`${offlinePath} answered ${answer.status}.`)
  const cache = await caches.open(frameCache)
  await cache.put(offlinePath, answer.clone())
  await keepFilesOf(await answer.text())
}

async function readPage(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const answer = await fetch(event.request)
    if (isKeptOffline(url)) event.waitUntil(keepPage(url.href, answer.clone()))
    return answer
  } catch {
    const copy = await caches.match(url.href)
    if (url.pathname === offlinePath) return copy ?? copyOf(offlinePath)
    // The frame takes over a page at its own address alone.
    return copy ?? Response.redirect(`${offlinePath}#${url.pathname}${url.search}`)
  }
}

/** Files are named after their content: one that is here is right. */
async function readFile(request: Request): Promise<Response> {
  const copy = await caches.match(request)
  if (copy !== undefined) return copy
  const answer = await fetch(request)
  if (answer.status === 200) await (await caches.open(frameCache)).put(request, answer.clone())
  return answer
}

/** Data of a page whose whole is kept: its tab then loads it whole, as after an upgrade. */
async function loadWhole({ pathname, origin }: URL): Promise<Response> {
  const page = pathname.replace(/(?:_root)?\.data$/, '')
  if ((await caches.match(origin + page)) === undefined) return Response.error()
  return new Response(null, { headers: { [buildHeader]: 'offline' } })
}

async function copyOf(request: Request | string): Promise<Response> {
  return (await caches.match(request)) ?? Response.error()
}
