import { argv } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** The program that the build makes: it serves, or is the command that its words ask for. Each is loaded alone. */
const words = argv.slice(2)
if (words.length === 0) {
  const [{ run }, { builtPages }] = await Promise.all([import('./main.ts'), import('./app/page-source.ts')])
  await run(builtPages)
} else {
  // Rows of imports and backups live for a moment: where the nursery grows, 200 MB of them lie about until they are swept.
  setFlagsFromString('--semi-space-growth-factor=1')
  const { runProcess } = await import('./cli.ts')
  await runProcess(words)
}
