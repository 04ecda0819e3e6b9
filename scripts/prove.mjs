import { ensureBuilt, ensureInstalled, runPinned } from './prepare.mjs'

/** `npm run prove -- NAME …` runs a proof of `tests/proofs/` that takes too long for the tests. */
const [name = '', ...args] = process.argv.slice(2)
await ensureInstalled()
await ensureBuilt()
process.exitCode = await runPinned([`tests/proofs/${name}.ts`, ...args])
