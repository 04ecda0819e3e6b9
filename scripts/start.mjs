import { ensureBuilt, ensureInstalled, frugal, runPinned } from './prepare.mjs'

await ensureInstalled()
await ensureBuilt()
process.exitCode = await runPinned(['build/server/daybook.js', ...process.argv.slice(2)], {
  ...frugal,
  NODE_ENV: 'production',
})
