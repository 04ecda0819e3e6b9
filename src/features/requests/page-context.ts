import { createContext } from 'react-router'
import type { RequestsApp } from './app.ts'

/** How the loader of a page of the requests reaches this feature's step of the app. */
export const requestsContext = createContext<RequestsApp>()
