import { argv } from 'node:process'

/** The program that the build makes: it serves, or is the command that its words ask for. Each is loaded alone. */
const words = argv.slice(2)
if (words.length === 0) {
  const [{ run }, { builtPages }] = await Promise.all([import('./main.ts'), import('./app/page-source.ts')])
  await run(builtPages)
} else {
  const { runProcess } = await import('./cli.ts')
  await runProcess(words)
}
