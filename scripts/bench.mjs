import { ensureInstalled, runPinned } from './prepare.mjs'

await ensureInstalled()
process.exitCode = await runPinned(['bench/run.ts', ...process.argv.slice(2)])
