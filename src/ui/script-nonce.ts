import { createContext } from 'react'

/**
 * Marks the inline scripts that are the site's own while a page is rendered. The server hashes exactly the marked ones
 * for the content security policy and takes the mark off: a script that got into a page otherwise is never allowed.
 */
export const ScriptNonce = createContext<string | undefined>(undefined)
