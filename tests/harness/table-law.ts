import { parseSync } from '@swc/core'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Which room owns each table, as `src/db/tables/` says it: one file a room, one interface that lists its tables. */
export function readTableOwners(root: string): Map<string, string> {
  const folder = join(root, 'src/db/tables')
  const owners = new Map<string, string>()
  for (const file of readdirSync(folder)) {
    const list = /^export interface \w+Tables \{\n((?: {2}\w+: \w+\n)+)\}/m.exec(
      readFileSync(join(folder, file), 'utf8'),
    )
    for (const [, table = ''] of list?.[1]?.matchAll(/^ {2}(\w+):/gm) ?? []) {
      if (owners.has(table)) throw new Error(`Two rooms own ${table}.`)
      owners.set(table, basename(file, '.ts'))
    }
  }
  return owners
}

/** Features from left to right: each may read the tables of those on its left. */
const row = ['accounts', 'membership', 'catalogue', 'requests', 'notices', 'site']

const writes = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'])
const reads = new Set(['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin', 'using'])
const locks = new Set(['forUpdate', 'forNoKeyUpdate', 'forShare', 'forKeyShare'])
/** They let a query name a table that the type of the database does not list. */
const loopholes = new Set(['withTables', '$extendTables', 'dynamic'])
const schemaChanges = new Set(['createTable', 'alterTable', 'dropTable'])

const suspects = [...writes, ...locks, ...loopholes, ...schemaChanges, 'sql', 'run']

const name = String.raw`(?:only\s+)?(?:"?public"?\.)?"?([a-z_]\w*|\?)"?`
const rawWrite = new RegExp(
  String.raw`\b(insert\s+into|(?<!\bfor\s+(?:no\s+key\s+)?|\bdo\s+)update|delete\s+from|merge\s+into|truncate(?:\s+table)?|lock\s+table|copy|(?:alter|drop)\s+table(?:\s+if\s+exists)?)\s+${name}((?:\s*,\s*"?[a-z_]\w*"?)*)`,
  'gi',
)
const noAlias =
  'join|inner|left|right|full|cross|natural|lateral|on|using|where|set|values|for|group|having|window|order|limit|offset|fetch|union|except|intersect|returning'
const listed = String.raw`${name}(?:\s+(?:as\s+)?(?!(?:${noAlias})\b)([a-z]\w*))?`
const rawRead = new RegExp(String.raw`\b(?:from|join|using)\s+(${listed}(?:\s*,\s*${listed})*)`, 'gi')
const rawLock = /\bfor\s+(?:no\s+key\s+)?(?:update|share|key\s+share)\b(?:\s+of\s+([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*))?/gi
const startsAsSql = /^\s*(?:select|with|insert|update|delete|merge|truncate|lock|explain)\b/i

/**
 * Holds one source file against the table law: a table is written and locked by the room that owns it, and no room names a
 * table of a room on its right. It reads Kysely's calls and raw SQL alike; what it cannot read breaks the law, too.
 * @param path of the file from the root of the repository, which says in whose room it stands
 * @returns what breaks the law, one sentence each
 */
export function breachesOfTableLaw(source: string, path: string, owners: ReadonlyMap<string, string>): string[] {
  if (path.startsWith('src/db/migrations/')) return []
  const room = /^src\/features\/(\w+)\//.exec(path)?.[1]
  const isAbove = /^src\/(?:app\/|[^/]+$)/.test(path)
  // Most files are about no table at all.
  const words = new Set(source.match(/[$\w]+/g))
  if (![...suspects, ...owners.keys()].some((word) => words.has(word))) return []
  const breaches = new Set<string>()
  const mayRead = (owner: string): boolean =>
    isAbove || (room !== undefined && row.indexOf(owner) <= row.indexOf(room) && row.includes(room))

  const write = (table: string, verb: string): void => {
    const owner = owners.get(table)
    if (owner === undefined) breaches.add(`${verb} ${table}: no room owns this table`)
    else if (owner !== room) breaches.add(`${verb} ${table}: it belongs to ${owner}`)
  }
  const read = (table: string): void => {
    const owner = owners.get(table)
    if (owner !== undefined && !mayRead(owner)) breaches.add(`reads ${table}: it belongs to ${owner}`)
  }

  const readSql = (text: string, isTagged: boolean): void => {
    for (const [, verb = '', table = '', others = ''] of text.matchAll(rawWrite)) {
      const said = verb.toLowerCase().replace(/\s+/g, ' ')
      if (table === '?') {
        if (isTagged) breaches.add(`${said} a table that only a value names`)
        continue
      }
      for (const each of [table, ...others.split(',').map((word) => word.trim().replaceAll('"', ''))])
        if (owners.has(each.toLowerCase())) write(each.toLowerCase(), said)
    }
    if (!isTagged && !startsAsSql.test(text)) return
    const named = new Map<string, string>()
    for (const [, sources = ''] of text.matchAll(rawRead)) {
      for (const [, table = '', alias = table] of sources.matchAll(new RegExp(listed, 'gi'))) {
        read(table.toLowerCase())
        named.set(table.toLowerCase(), table.toLowerCase())
        named.set(alias.toLowerCase(), table.toLowerCase())
      }
    }
    for (const [, of] of text.matchAll(rawLock)) {
      const locked =
        of === undefined ? named.values() : of.split(',').map((word) => named.get(word.trim().toLowerCase()))
      for (const table of locked) if (table !== undefined && owners.has(table)) write(table, 'locks')
    }
  }

  visit(parseSync(source, { syntax: 'typescript', tsx: path.endsWith('.tsx'), target: 'es2024' }), (node) => {
    if (node.type === 'StringLiteral') readSql(String(node['value']), false)
    if (node.type === 'TaggedTemplateExpression') {
      const { type, value, object, property } = node['tag'] as Node
      const isSql = (type === 'Identifier' && value === 'sql') || isNamed(object, 'sql') || isNamed(property, 'sql')
      if (isSql) readSql(textOf(node['template'] as Node), true)
    }
    if (node.type === 'TemplateLiteral' && node['quasis'] !== undefined) readSql(textOf(node), false)
    if (node.type === 'MemberExpression' && loopholes.has(propertyOf(node))) {
      breaches.add(`${propertyOf(node)} lets a query name tables beyond its type`)
    }
    if (node.type !== 'CallExpression') return
    const method = methodOf(node)
    if (method === undefined) return
    if (method === 'table' && isNamed((node['callee'] as Node)['object'], 'sql'))
      breaches.add('sql.table names a table by a value')
    const { tables, isReadable } = tablesIn(node)
    if (writes.has(method) || schemaChanges.has(method)) {
      if (!isReadable || tables.length === 0) breaches.add(`${method} of a table that only a value names`)
      for (const { table } of tables) write(table, method)
    }
    if (reads.has(method)) for (const { table } of tables) read(table)
    if (locks.has(method)) {
      const chain = chainOf(node)
      const from = chain.filter((call) => reads.has(methodOf(call) ?? '')).map(tablesIn)
      if (from.length === 0 || from.some((each) => !each.isReadable))
        breaches.add(`${method} of a query that cannot be read here`)
      for (const { table, alias } of from.flatMap((each) => each.tables)) {
        if ((tables.length === 0 || tables.some((of) => of.table === alias)) && owners.has(table)) write(table, method)
      }
    }
  })
  return [...breaches]
}

interface Node {
  type: string
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, see)
  } else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) see(value)
    for (const each of Object.values(value)) visit(each, see)
  }
}

const isNamed = (node: unknown, wanted: string): boolean => isNode(node) && node['value'] === wanted

function propertyOf(member: Node): string {
  const property = member['property'] as Node
  const named = property.type === 'Computed' ? (property['expression'] as Node) : property
  return typeof named['value'] === 'string' ? named['value'] : ''
}

/** The method that a call calls, or the function: a callback may take `selectFrom` out of its expression builder. */
function methodOf({ callee }: Node): string | undefined {
  if (!isNode(callee)) return undefined
  if (callee.type === 'MemberExpression') return propertyOf(callee)
  return callee.type === 'Identifier' ? String(callee['value']) : undefined
}

/** A call and those it is chained to, back to the beginning of the query. */
function chainOf(call: Node): Node[] {
  const chain: Node[] = []
  for (let at: unknown = call; isNode(at) && at.type === 'CallExpression';) {
    chain.push(at)
    const callee = at['callee'] as Node
    at = callee['object']
  }
  return chain
}

/** The tables that the first argument of a call names: a text, or several in a list. */
function tablesIn(call: Node): { tables: { table: string; alias: string }[]; isReadable: boolean } {
  const [first] = call['arguments'] as { expression: Node }[]
  if (first === undefined) return { tables: [], isReadable: true }
  const given =
    first.expression.type === 'ArrayExpression'
      ? (first.expression['elements'] as { expression: Node }[]).map(({ expression }) => expression)
      : [first.expression]
  const texts = given.map((each) => (each.type === 'StringLiteral' ? String(each['value']) : undefined))
  return {
    isReadable: !texts.includes(undefined),
    tables: texts
      .filter((text) => text !== undefined)
      .map((text) => {
        const [table = '', alias = table] = text
          .trim()
          .replace(/^public\./, '')
          .split(/\s+as\s+/i)
        return { table, alias }
      }),
  }
}

function textOf(template: Node): string {
  return (template['quasis'] as { cooked?: string; raw: string }[]).map(({ cooked, raw }) => cooked ?? raw).join(' ? ')
}
