import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { journalFile, RemovalJournal } from './journal-file.server.ts'
import type { JournalLine } from './journal-state.ts'
import { syncFolder } from '../../../platform/whole-file.ts'

/**
 * Unites the journal of a backup with that of the data directory, which wins: what was removed since the backup stays removed. Where
 * there is none, the backup's becomes it.
 * @param from the folder in which the journal of the backup lies
 * @returns how many removals only the data directory knew; and how to take it back
 * @throws {RemovalJournalError} where either is not as it was written
 */
export async function uniteJournals(
  journal: RemovalJournal,
  from: string,
): Promise<{ kept: number; undo: () => Promise<void> }> {
  const own = await journal.read()
  const backups = await new RemovalJournal({ dataDir: from }).read()
  if (own.lines === 0) {
    if (backups.lines > 0) await move(journalFile({ dataDir: from }), journal.path)
    return { kept: 0, undo: () => rm(journal.path, { force: true }) }
  }
  const isNews = (id: string, to: typeof own): boolean => !to.state.removals.has(id) && !to.state.reversed.has(id)
  const lines = [...backups.state.removals.values()]
    .filter(({ id }) => isNews(id, own))
    .map(({ digest: _digest, ...removal }): JournalLine => ({ type: 'removed', ...removal }))
  await journal.append(lines)
  const kept = [...own.state.removals.keys()].filter((id) => isNews(id, backups)).length
  // Lines are never taken back: each says what was so.
  return { kept, undo: () => Promise.resolve() }
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}
