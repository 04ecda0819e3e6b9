import { openAssets } from './cache/assets.ts'
import { type Content, freshnessOf } from './cache/freshness.ts'
import type { CachedResponse } from './cache/cached-response.ts'
import type { Freshness, Rendered } from './cache/response-cache.ts'
import { canonicalQuery } from './canonical-address.ts'
import type { Matcher } from './match.ts'
import type { Route } from './route.ts'
import type { HttpApp } from './server-parts.ts'

/** Finished answers by address: the browser's files, those that routes have at hand, and those in the response cache. */
export class FinishedAnswers<App extends HttpApp, Viewer> {
  readonly #app: App
  readonly #content: Content
  readonly #matcher: Matcher<App, Viewer>
  readonly #assets: ReadonlyMap<string, CachedResponse>
  readonly #freshness: () => Freshness
  /** Routes that have their answers at hand, with the part of their path before its parameter. */
  readonly #peeking: readonly { prefix: string; route: Route<App, Viewer> }[]

  private constructor(
    app: App,
    { content, matcher, routes }: Sources<App, Viewer>,
    assets: ReadonlyMap<string, CachedResponse>,
  ) {
    this.#app = app
    this.#content = content
    this.#matcher = matcher
    this.#assets = assets
    this.#freshness = freshnessOf(content, app.clock, app.config.timeZone)
    this.#peeking = routes
      .filter(({ peek }) => peek !== undefined)
      .map((route) => ({ prefix: route.path.slice(0, route.path.lastIndexOf(':')), route }))
  }

  static async open<App extends HttpApp, Viewer>(
    app: App,
    sources: Sources<App, Viewer>,
  ): Promise<FinishedAnswers<App, Viewer>> {
    return new FinishedAnswers(app, sources, await openAssets(sources.assetsDirectory))
  }

  /** The short way to what is finished already, for a GET or HEAD: nothing is matched or computed. */
  peek(
    url: string,
    { authorization, 'api-key': clientKey }: NodeJS.Dict<string | string[]>,
  ): CachedResponse | undefined {
    const asset = this.#assets.get(url)
    if (asset !== undefined) return asset
    if (authorization !== undefined || !this.#content.isCurrent) return undefined
    const hasClientKey = clientKey === this.#app.config.clientApiKey
    const atHand = this.#atHand(url, hasClientKey)
    if (atHand !== undefined) return atHand
    const answer = this.#cached(url)
    if (answer !== undefined) return answer.needsClientKey && !hasClientKey ? undefined : answer
    return this.#cached(pageKey(url)) ?? this.#underItsParameters(url)
  }

  /**
   * The cached answer, or one that is made now, in its caller's turn, and cached if it may be. Concurrent requests for
   * the same answer share one, and take nobody's turn.
   * @param key the address of a route, as it comes: its hash is known then; for a page, its `pageKey`
   * @throws {AppError} `site.busy`, 503
   */
  async get(
    key: string,
    { make, callerAddress }: { make: () => Promise<Rendered>; callerAddress: () => string },
  ): Promise<CachedResponse> {
    const { answers, clock, rendering } = this.#app
    const { version } = this.#freshness()
    const known = answers.peek(key, version, clock.now()) ?? answers.underway(key, version)
    if (known !== undefined) return known
    return rendering.run({ address: callerAddress() }, () => answers.get(key, clock.now(), this.#freshness, make))
  }

  isAsset(url: string): boolean {
    return this.#assets.has(url)
  }

  #cached(key: string): CachedResponse | undefined {
    return this.#app.answers.peek(key, this.#content.version, this.#app.clock.now())
  }

  #atHand(url: string, hasClientKey: boolean): CachedResponse | undefined {
    for (const { prefix, route } of this.#peeking) {
      if ((hasClientKey || route.needsClientKey !== true) && url.startsWith(prefix))
        return route.peek?.(this.#app, url.slice(prefix.length))
    }
    return undefined
  }

  /** The kept page of an address that holds more than the page reads, such as where its visitor comes from. */
  #underItsParameters(url: string): CachedResponse | undefined {
    const start = url.indexOf('?')
    if (start < 0) return undefined
    const path = url.slice(0, start)
    const address = path + canonicalQuery(this.#matcher.pageAt(path), path, url.slice(start))
    return address === url ? undefined : this.#cached(pageKey(address))
  }
}

interface Sources<App, Viewer> {
  content: Content
  matcher: Matcher<App, Viewer>
  routes: readonly Route<App, Viewer>[]
  assetsDirectory: string
}

/** Under which a page is kept. No address has a space in it. */
export function pageKey(address: string): string {
  return `page ${address}`
}
