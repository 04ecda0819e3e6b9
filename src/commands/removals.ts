import { userInfo } from 'node:os'
import { findDifferences } from '../features/notices/journal/find-differences.server.ts'
import { RemovalJournal } from '../features/notices/journal/journal-file.server.ts'
import { keyOfHold } from '../features/notices/journal/journal-state.ts'
import { liftRemovals } from '../features/notices/journal/lift-removals.server.ts'
import { lostInWords } from '../features/notices/journal/raise-alarms.server.ts'
import { counted } from '../platform/counted.ts'
import { isoOf } from '../platform/time/iso-of.ts'
import { type Command, type CommandApp, readArguments, UsageError, type WithApp } from './command.ts'

export const removalsCommand: Command = {
  usage: `  removals
      Lists what the journal of removals in DATA_DIR keeps off the site, and how it stands in the database.
  removals lift REFERENCE --reason TEXT
      Gives back what is kept off under the reference of a notice that the desk cannot decide, because the
      database has lost it or its decision keeps the entries: what was taken off after a restore by mistake.
`,
  run: runRemovals,
}

async function runRemovals(args: string[], withApp: WithApp): Promise<number> {
  if (args[0] === 'lift') return runLift(args.slice(1), withApp)
  if (args.length > 0) throw new UsageError('The command removals is followed by lift, or by nothing.')
  return withApp(list)
}

async function list(app: CommandApp): Promise<number> {
  const journal = new RemovalJournal(app.config)
  const { state, lines, tornBytes } = await journal.read()
  if (lines === 0) {
    process.stdout.write(`There is no journal at ${journal.path}. The next start makes one from the database.\n`)
    return 0
  }
  const found = await findDifferences(app.db, state, { at: isoOf(app.clock.now()) })
  const lost = new Set([...found.lost, ...found.incomplete].map(({ id }) => id))
  const unhidden = new Set(found.unhidden.map(keyOfHold))
  const ended = new Set(
    found.lines.flatMap((line) =>
      line.type === 'reversed' ? [line.id] : line.type === 'released' ? [keyOfHold(line)] : [],
    ),
  )
  const standing = (isLost: boolean, isEnded: boolean): string =>
    isLost ? 'NOT SO IN THE DATABASE' : isEnded ? 'given back since' : 'so in the database'
  const print = (...words: string[]): unknown => process.stdout.write(`${words.join('  ')}\n`)
  for (const { id, reference, slug, entry, decidedAt } of state.removals.values())
    print(reference, 'removed   ', decidedAt.slice(0, 16), slug ?? entry, standing(lost.has(id), ended.has(id)))
  for (const hold of state.holds.values()) {
    const key = keyOfHold(hold)
    const what = hold.by === 'decision' ? 'restricted' : 'hidden    '
    print(hold.reference, what, hold.since.slice(0, 16), hold.slug, standing(unhidden.has(key), ended.has(key)))
  }
  const notices = [...state.lost.values(), ...found.lostNotices]
  for (const one of new Map(notices.map((each) => [each.reference, each])).values())
    process.stdout.write(`Lost by a restore: ${lostInWords(one)}\n`)
  const repairs = lost.size + unhidden.size
  process.stdout.write(
    `${counted(state.removals.size, 'removal')} and ${counted(state.holds.size, 'entry restricted or hidden', 'entries restricted or hidden')} in ${counted(lines, 'line')}, whole.\n`,
  )
  if (tornBytes > 0) process.stdout.write('A last line was not written to its end, and is passed over.\n')
  if (repairs > 0) process.stdout.write('The next start, or the next minute of a running site, takes them off again.\n')
  return repairs > 0 ? 1 : 0
}

async function runLift(args: string[], withApp: WithApp): Promise<number> {
  const { values, positionals } = readArguments(args, { reason: { type: 'string' } }, 1)
  const [reference] = positionals
  const reason = values.reason?.trim() ?? ''
  if (reference === undefined) throw new UsageError('The command removals lift needs the reference of a notice.')
  if (reason === '' || reason.length > 500)
    throw new UsageError('The command removals lift needs --reason TEXT of 1 to 500 characters.')
  return withApp(async (app) => {
    const effects = await liftRemovals(app, { reference, reason, by: userInfo().username })
    for (const { name, path, effect, reasons } of effects) {
      process.stdout.write(`${effect}  ${path}  ${name}\n`)
      for (const { message, remedy } of reasons) process.stdout.write(`  ${message} ${remedy}\n`)
    }
    process.stdout.write(`What ${reference} kept off the site is lifted. It is in the audit log.\n`)
    return 0
  })
}
