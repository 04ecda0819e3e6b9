import { ensureBuilt, ensureInstalled, runPinned } from './prepare.mjs'

await ensureInstalled()
await ensureBuilt()
process.exitCode = await runPinned(['build/server/daybook.js', ...process.argv.slice(2)], { NODE_ENV: 'production' })
