import { createContext } from 'react-router'
import type { AccountsApp } from './app.ts'

/** How the loader of a page of accounts reaches this feature's step of the app. */
export const accountsContext = createContext<AccountsApp>()
