import { createContext, createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import type { App } from './app/app.ts'
import { catalogueContext, listInPlace } from './features/catalogue/page-context.ts'
import { spliceListing } from './features/catalogue/parts/listing/splice-listing.server.ts'
import { listSite } from './features/catalogue/parts/list/list-site.server.ts'
import type { ListingPage } from './features/catalogue/item/listing.ts'
import { accountsContext } from './features/accounts/page-context.ts'
import { membershipContext } from './features/membership/page-context.ts'
import { noticesContext } from './features/notices/page-context.ts'
import { requestsContext } from './features/requests/page-context.ts'
import { siteFacts } from './features/site/site-facts.ts'
import { type AppError, isAppError, presentError } from './platform/errors.ts'
import { appContext, isDocument, pagePattern, pageScope, pageVisit } from './http/pages/page-context.ts'
import { pagePathOf } from './http/pages/data-address.ts'
import { PageScope } from './http/pages/page-scope.ts'
import { PageTemplates } from './http/pages/page-template.ts'
import type { PageVisit, SentForm } from './http/pages/page-visit.ts'
import type { Pages, RenderedPage } from './http/pages/pages.ts'
import { scriptNonceHeader } from './http/pages/page-headers.ts'

/** The refusals of a page's loaders. */
const refusalsContext = createContext<AppError[]>()

/** The form that was sent to it, if any. */
const formContext = createContext<SentForm | undefined>()

/**
 * The entry of the page bundle.
 * @param mode development: the pages bring what their hot reload needs, and errors keep their traces
 */
export function openPages(app: App, mode: 'production' | 'development' = 'production'): Pages {
  const handle = createRequestHandler({ ...build, routes: withPlainErrors(build.routes) }, mode)
  async function render(
    request: Request,
    scope: PageScope,
    pattern: string,
    { visit, list }: { visit?: PageVisit | undefined; list?: ListingPage | undefined },
  ): Promise<RenderedPage> {
    const context = new RouterContextProvider()
    context.set(pagePattern, pattern)
    context.set(listInPlace, list)
    context.set(isDocument, pagePathOf(new URL(request.url).pathname) === undefined)
    if (visit !== undefined) context.set(pageVisit, visit)
    context.set(formContext, visit?.form)
    // Changing content is read through these: a page that has touched none of them depends on nothing else.
    let isRead = false
    let isStated = false
    const seen = <T>(value: T): { get: () => T } => ({
      get() {
        isRead = true
        return value
      },
    })
    // Whether it may be shown at all says nothing of what is in it.
    const listing = new Proxy(app.listing, {
      get(target, name) {
        if (name !== 'isCurrent') isRead = true
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const watched = Object.create(app, {
      listing: { value: listing },
      db: seen(app.db),
      maintenanceDb: seen(app.maintenanceDb),
    }) as App
    context.set(appContext, watched)
    context.set(accountsContext, watched)
    context.set(membershipContext, watched)
    context.set(catalogueContext, watched)
    context.set(requestsContext, watched)
    context.set(noticesContext, watched)
    context.set(pageScope, {
      state(given) {
        isStated = true
        scope.state(given)
      },
      whenSent: (notify) => scope.whenSent(notify),
    })
    const refusals: AppError[] = []
    context.set(refusalsContext, refusals)
    const response = await handle(request, context)
    if (isRead && !isStated) scope.state(undefined)
    // The frame of every page shows texts that administrators change.
    scope.state(app.listing.scopeOfSettings())
    return { response, refusal: refusals.find(({ status }) => status === response.status) }
  }
  return {
    build: build.assets.version,
    render: (request, scope, pattern, visit) => render(request, scope, pattern, { visit }),
    templates: new PageTemplates(),
    async splice(url, scope, pattern) {
      if (!app.listing.isCurrent || pagePathOf(url.pathname) !== undefined) return undefined
      const readSite = (): string => JSON.stringify([siteFacts(app), listSite(app)])
      const site = readSite()
      const listing = await spliceListing(app, { pattern, search: url.search }, scope)
      if (listing === undefined) return undefined
      scope.state(app.listing.scopeOfSettings())
      const { texts, standIns, page: list } = listing
      const address = new URL(url)
      address.search = listing.search
      // To put it together takes a millisecond of the one thread, as to render one does.
      await app.rendering.ownRound()
      return {
        key: `${pattern} ${site} ${listing.key}`,
        texts,
        standIns,
        async render(nonce) {
          const request = new Request(address, { headers: { [scriptNonceHeader]: nonce } })
          const { response } = await render(request, new PageScope(), pattern, { list })
          return readSite() === site ? response : undefined
        },
      }
    },
  }
}

/**
 * A refusal of a loader or an action, or a full disk, reaches the page with its status and its sentence; anything else
 * is a defect. A form that the server refuses never reaches the action.
 */
function withPlainErrors(routes: typeof build.routes): typeof build.routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      if (route === undefined) return [id, route]
      const { loader, action } = route.module
      const plainLoader: typeof loader = loader && (async (args) => plainly(args.context, () => loader(args)))
      const plainAction: typeof action =
        action &&
        (async (args) =>
          plainly(args.context, () => {
            const refusal = args.context.get(formContext)?.refusal
            if (refusal !== undefined) throw refusal
            return action(args)
          }))
      return [
        id,
        {
          ...route,
          module: {
            ...route.module,
            ...(plainLoader === undefined ? {} : { loader: plainLoader }),
            ...(plainAction === undefined ? {} : { action: plainAction }),
          },
        },
      ]
    }),
  )
}

async function plainly<T>(context: Readonly<RouterContextProvider>, work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (thrown) {
    const error = context.get(appContext).diskSpace.explain(thrown)
    if (!isAppError(error)) throw error
    context.get(refusalsContext).push(error)
    const { status, headers } = presentError(error)
    throw Response.json({ message: error.message, code: error.code }, { status, headers })
  }
}
