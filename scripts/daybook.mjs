import { ensureInstalled, runPinned } from './prepare.mjs'

await ensureInstalled()
// Rows of imports and backups live for a moment: in a larger nursery they would lie about until they are swept.
process.exitCode = await runPinned(['--max-semi-space-size=4', 'src/cli.ts', ...process.argv.slice(2)], {
  NODE_ENV: 'production',
})
