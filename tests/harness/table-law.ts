import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { usesOfTables } from './table-uses.ts'

/** Which room owns each table, as `src/db/tables/` says it: files begin with the name of a room, and list tables in one interface. */
export function readTableOwners(root: string): Map<string, string> {
  const folder = join(root, 'src/db/tables')
  const owners = new Map<string, string>()
  for (const file of readdirSync(folder)) {
    const list = /^export interface \w+Tables(?: extends [\w, ]+)? \{\n((?: {2}\w+: \w+\n)+)\}/m.exec(
      readFileSync(join(folder, file), 'utf8'),
    )
    for (const [, table = ''] of list?.[1]?.matchAll(/^ {2}(\w+):/gm) ?? []) {
      if (owners.has(table)) throw new Error(`Two rooms own ${table}.`)
      owners.set(table, basename(file, '.ts').split('-')[0] as string)
    }
  }
  return owners
}

/** Features from left to right: each may read the tables of those on its left. */
const row = ['office', 'accounts', 'membership', 'catalogue', 'requests', 'notices', 'site']

/**
 * Holds a source file against the table law: a table is written and locked by the room that owns it, and no room names
 * a table on its right. A table that it cannot read is a fault too.
 * @param path from the root, which says the room
 * @returns the faults, one sentence each
 */
export function breachesOfTableLaw(source: string, path: string, owners: ReadonlyMap<string, string>): string[] {
  // A dump takes and puts back every table there is, by its name in the database.
  if (/^src\/db\/(?:migrations|dump)\//.test(path)) return []
  const room = /^src\/features\/(\w+)\//.exec(path)?.[1]
  const isAbove = /^src\/(?:app\/|[^/]+$)/.test(path)
  const mayRead = (owner: string): boolean =>
    isAbove || (room !== undefined && row.indexOf(owner) <= row.indexOf(room) && row.includes(room))
  const breaches = new Set<string>()
  for (const use of usesOfTables(source, path, owners)) {
    if (use.kind === 'hidden') {
      breaches.add(use.sentence)
      continue
    }
    const owner = owners.get(use.table)
    if (use.kind === 'read' || use.kind === 'whole row') {
      if (owner !== undefined && !mayRead(owner)) breaches.add(`reads ${use.table}: it belongs to ${owner}`)
    } else if (owner === undefined) breaches.add(`${use.verb} ${use.table}: no room owns this table`)
    else if (owner !== room) breaches.add(`${use.verb} ${use.table}: it belongs to ${owner}`)
  }
  return [...breaches]
}
