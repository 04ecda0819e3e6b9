import { createContext } from 'react-router'
import type { MembershipApp } from './app.ts'

/** How the loader of a page of membership reaches this feature's step of the app. */
export const membershipContext = createContext<MembershipApp>()
