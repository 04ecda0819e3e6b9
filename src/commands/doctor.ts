import { openLog } from '../platform/log.ts'
import { type Command, readArguments } from './command.ts'
import { examine, type Finding, type Outside } from './examine.ts'

export const doctorCommand: Command = {
  usage: `  doctor
      Looks at settings, data directory, database, mail, payments, clock, proxies and what must always be true, and
      says what to do. Changes nothing. Ends with 0, or with 1 when something is wrong.
`,
  usesPayments: true,
  run: (args, _withApp, env, options) => {
    readArguments(args, {}, 0)
    return runDoctor(env, options)
  },
}

const words: Record<Finding['state'], string> = { good: 'ok     ', warning: 'warning', problem: 'PROBLEM' }

/** @param outside whether the operator insists on the database, and what is not of this machine, for a test */
export async function runDoctor(env: NodeJS.ProcessEnv, outside: Partial<Outside> = {}): Promise<number> {
  const counts = { good: 0, warning: 0, problem: 0 }
  for await (const { about, state, sentence, advice } of examine(env, { log: openLog('silent'), ...outside })) {
    counts[state] += 1
    process.stdout.write(`${words[state]}  ${about}: ${sentence}\n`)
    if (advice !== undefined) process.stdout.write(`         ${advice}\n`)
  }
  const isWell = counts.problem === 0
  process.stdout.write(
    isWell
      ? `\nNothing is wrong${counts.warning === 0 ? '.' : `; warnings: ${counts.warning}.`}\n`
      : `\nProblems: ${counts.problem}; warnings: ${counts.warning}.\n`,
  )
  return isWell ? 0 : 1
}
