import { ensureInstalled, runPinned } from './prepare.mjs'

await ensureInstalled()
process.exitCode = await runPinned(['src/cli.ts', ...process.argv.slice(2)], { NODE_ENV: 'production' })
