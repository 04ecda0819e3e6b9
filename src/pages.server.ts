import { createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import type { App } from './platform/app.ts'
import { appContext } from './platform/page-context.ts'

/** The entry of the page bundle: how the server has a page rendered. */
export function openPages(app: App): (request: Request) => Promise<Response> {
  const handle = createRequestHandler(build, 'production')
  return (request) => {
    const context = new RouterContextProvider()
    context.set(appContext, app)
    return handle(request, context)
  }
}
