import { createContext, createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import type { App } from './app/app.ts'
import { catalogueContext } from './features/catalogue/page-context.ts'
import { accountsContext } from './features/accounts/page-context.ts'
import { membershipContext } from './features/membership/page-context.ts'
import { noticesContext } from './features/notices/page-context.ts'
import { requestsContext } from './features/requests/page-context.ts'
import { type AppError, isAppError, presentError } from './platform/errors.ts'
import { appContext, pagePattern, pageScope, pageVisit } from './http/pages/page-context.ts'
import type { SentForm } from './http/pages/page-visit.ts'
import type { Pages } from './http/pages/pages.ts'

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
  return {
    build: build.assets.version,
    async render(request, scope, pattern, visit) {
      const context = new RouterContextProvider()
      context.set(pagePattern, pattern)
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
