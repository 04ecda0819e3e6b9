import { createContext, type RouterContextProvider } from 'react-router'
import type { HttpApp } from '../http-app.ts'
import type { PageScope } from './page-scope.ts'
import type { PageVisit } from './page-visit.ts'

/** How the loader of any page reaches the app. A feature whose pages need its own step has a context of its own. */
export const appContext = createContext<HttpApp>()

/** How a page's loader states what the page depends on. One that reads what changes, and does not, is asked anew after every change. */
export const pageScope = createContext<Pick<PageScope, 'state' | 'whenSent'>>()

/** Whether a page is rendered, and not its data alone read. */
export const isDocument = createContext<boolean>()

/**
 * The request behind a page that is rendered for it alone: an uncached page, or the answer to a form. A page that is cached
 * for everybody has none, and reading it there throws.
 */
export const pageVisit = createContext<PageVisit>()

/** The fields of the form that an action answers: of each name that its page declares the first, as it was typed. */
export function sentFields(context: Readonly<RouterContextProvider>): Readonly<Record<string, string>> {
  const { form } = context.get(pageVisit)
  return form === undefined || form.refusal !== undefined ? {} : form.fields
}

/** The pattern of the page that is rendered: the log names it in place of the address. */
export const pagePattern = createContext<string>('*')
