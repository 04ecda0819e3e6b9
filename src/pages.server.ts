import { createContext, createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import type { App } from './app/app.ts'
import { catalogueContext } from './features/catalogue/page-context.ts'
import { membershipContext } from './features/membership/page-context.ts'
import { type AppError, isAppError, presentError } from './platform/errors.ts'
import { appContext, pagePattern, pageScope } from './http/pages/page-context.ts'
import type { Pages } from './http/pages/pages.ts'

/** What the loaders of a page in the making have refused. */
const refusalsContext = createContext<AppError[]>()

/**
 * The entry of the page bundle.
 * @param mode development: the pages bring what their hot reload needs, and errors keep their traces
 */
export function openPages(app: App, mode: 'production' | 'development' = 'production'): Pages {
  const handle = createRequestHandler({ ...build, routes: withPlainErrors(build.routes) }, mode)
  return {
    build: build.assets.version,
    async render(request, scope, pattern) {
      const context = new RouterContextProvider()
      context.set(pagePattern, pattern)
      // What changes is reached through these: a page that has touched none of them depends on nothing.
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
      context.set(membershipContext, watched)
      context.set(catalogueContext, watched)
      context.set(pageScope, {
        state(given) {
          isStated = true
          scope.state(given)
        },
      })
      const refusals: AppError[] = []
      context.set(refusalsContext, refusals)
      const response = await handle(request, context)
      if (isRead && !isStated) scope.state(undefined)
      return { response, refusal: refusals.find(({ status }) => status === response.status) }
    },
  }
}

/** What a loader refuses on purpose reaches the page with its status and its sentence; anything else is a defect. */
function withPlainErrors(routes: typeof build.routes): typeof build.routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const loader = route?.module.loader
      if (route === undefined || loader === undefined) return [id, route]
      const plain: typeof loader = async (args) => {
        try {
          return await loader(args)
        } catch (error) {
          if (!isAppError(error)) throw error
          args.context.get(refusalsContext).push(error)
          const { status, headers } = presentError(error)
          throw Response.json({ message: error.message, code: error.code }, { status, headers })
        }
      }
      return [id, { ...route, module: { ...route.module, loader: plain } }]
    }),
  )
}
