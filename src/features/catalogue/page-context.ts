import { createContext } from 'react-router'
import type { CatalogueApp } from './app.ts'
import type { ListingPage } from './item/listing.ts'

/** How the loader of a page of the catalogue reaches this feature's step of the app. */
export const catalogueContext = createContext<CatalogueApp>()

/** The page of a list that is rendered in place of the one that its address asks for (`parts/listing/splice-listing.server.ts`). */
export const listInPlace = createContext<ListingPage | undefined>(undefined)
