import { createContext } from 'react-router'
import type { NoticesApp } from './app.ts'

/** How the loader of a page of the notices reaches this feature's step of the app. */
export const noticesContext = createContext<NoticesApp>()
