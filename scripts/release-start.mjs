/** `node daybook.mjs` serves, `node daybook.mjs COMMAND` does what docs/operating.md says of `npm run daybook -- COMMAND`. */
import module from 'node:module'

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`Daybook needs Node 22 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
// The next start takes the programs as Node has compiled them, where it may write to its folder for that.
module.enableCompileCache?.()
await import('./build/server/daybook.js')
