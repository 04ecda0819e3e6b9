import { createContext } from 'react-router'
import type { CatalogueApp } from './app.ts'

/** How the loader of a page of the catalogue reaches this feature's step of the app. */
export const catalogueContext = createContext<CatalogueApp>()
