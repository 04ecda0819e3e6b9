import { createContext } from 'react-router'
import type { HttpApp } from '../http-app.ts'
import type { PageScope } from './page-scope.ts'

/** How the loader of any page reaches the app. A feature whose pages need its own step has a context of its own. */
export const appContext = createContext<HttpApp>()

/** How a page's loader states what the page depends on. One that reads what changes, and does not, is asked anew after every change. */
export const pageScope = createContext<Pick<PageScope, 'state'>>()

/** The pattern of the page that is rendered: the log names it in place of the address. */
export const pagePattern = createContext<string>('*')
