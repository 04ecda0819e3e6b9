import { createContext } from 'react-router'
import type { NoticesApp } from './app.ts'

/** Gives the loaders of the notices' pages this feature's step of the app. */
export const noticesContext = createContext<NoticesApp>()
