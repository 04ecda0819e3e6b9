import type { Route } from '../../http/route.ts'
import type { Viewer } from '../office/viewer/viewer.ts'
import type { NoticesApp } from './app.ts'
import { deskRoutes } from './desk/routes.server.ts'
import { transparencyRoutes } from './transparency/routes.server.ts'

/** The notices' part of the HTTP interface (docs/spec/http.md#routes). */
export const noticeRoutes: Route<NoticesApp, Viewer>[] = [...deskRoutes, ...transparencyRoutes]
