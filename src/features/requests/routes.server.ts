import type { Route } from '../../http/route.ts'
import type { Viewer } from '../office/viewer/viewer.ts'
import type { RequestsApp } from './app.ts'
import { contentRequestRoutes } from './content-requests/routes.server.ts'
import { supportRoutes } from './support/routes.server.ts'

/** The requests' part of the HTTP interface (docs/spec/http.md#routes). */
export const requestRoutes: Route<RequestsApp, Viewer>[] = [...contentRequestRoutes, ...supportRoutes]
