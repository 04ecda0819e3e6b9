import { ensureChromium } from './chromium.mjs'
import { ensureBuilt, ensureInstalled, runPinned } from './prepare.mjs'
import { scratchInMemory } from './scratch.mjs'

await ensureInstalled()
await ensureBuilt()
const additions = { NODE_ENV: 'test', CHROMIUM: ensureChromium(), ...scratchInMemory() }
process.exitCode = await runPinned(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], additions)
