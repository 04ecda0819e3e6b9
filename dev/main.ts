/**
 * The site for those who work on it, started by `npm run dev`: the same process, on this machine alone, with pages that
 * follow their sources.
 */
import { run } from '../src/main.ts'
import { followedPages } from './followed-pages.ts'

await run(followedPages())
