import cluster from 'node:cluster'
import { argv, env } from 'node:process'
import { boundNursery } from './platform/cli/bound-nursery.ts'

/** The program that the build makes: it serves, keeps workers that serve, or is the command that its words ask for. Each is loaded alone. */
const words = argv.slice(2)
if (words.length === 0) {
  const { keepWorkers, readWorkerSettings } = await import('./app/workers.ts')
  const settings = readWorkerSettings(env)
  if (settings.workers > 1 && cluster.isPrimary) await keepWorkers(settings)
  else {
    const [{ run }, { builtPages }] = await Promise.all([import('./main.ts'), import('./app/page-source.ts')])
    await run(builtPages)
  }
} else {
  boundNursery()
  const { runProcess } = await import('./cli.ts')
  await runProcess(words)
}
