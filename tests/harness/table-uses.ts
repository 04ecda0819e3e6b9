import { parseSync } from '@swc/core'
import { byValue, usesInSql } from './sql-words.ts'

/** Anything that a source file does with a table. `hidden` is a table that cannot be read from the file. */
export type TableUse =
  | { kind: 'read'; table: string }
  | { kind: 'whole row'; table: string }
  | { kind: 'write'; verb: string; table: string }
  | { kind: 'lock'; verb: string; table: string }
  | { kind: 'hidden'; sentence: string }

const writes = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'])
const joins = ['inner', 'left', 'right', 'full', 'cross'].flatMap((kind) => [`${kind}Join`, `${kind}JoinLateral`])
const reads = new Set(['selectFrom', ...joins, 'crossApply', 'outerApply'])
/** Methods of others, too: only a text in them names a table. */
const weakReads = new Set(['using', 'from'])
const wholeRows = new Set(['selectAll', 'returningAll'])
const locks = new Set(['forUpdate', 'forNoKeyUpdate', 'forShare', 'forKeyShare'])
/** They let a query name a table that the type of the database does not list. */
const loopholes = new Set(['withTables', '$extendTables', 'dynamic'])
const schemaChanges = new Set(['createTable', 'alterTable', 'dropTable'])
const suspects = [...writes, ...reads, ...wholeRows, ...locks, ...loopholes, ...schemaChanges, 'sql', 'run']

const startsAsSql = /^\s*(?:select|with|insert|update|delete|merge|truncate|lock|explain|table)\b/i

/**
 * Finds the tables that a source file names in Kysely's calls and in raw SQL, by its syntax tree.
 * @param tables every table there is
 */
export function usesOfTables(
  source: string,
  path: string,
  tables: { has(table: string): boolean; keys(): Iterable<string> },
): TableUse[] {
  // Most files are about no table at all.
  const words = new Set(source.match(/[$\w]+/g))
  if (![...suspects, ...tables.keys()].some((word) => words.has(word))) return []
  const uses: TableUse[] = []
  const hidden = (sentence: string): number => uses.push({ kind: 'hidden', sentence })
  /** In a file with `sql.raw`, any text may become SQL. */
  const allIsSql = words.has('sql') && words.has('raw')

  const readSql = (text: string, isSql: boolean): void => {
    for (const use of usesInSql(text, (name) => tables.has(name))) {
      if (use.kind === 'write' && use.table === byValue) {
        if (isSql) hidden(`${use.verb} a table that only a value names`)
      } else if (use.kind === 'write') uses.push(use)
      else if (isSql || allIsSql || startsAsSql.test(text))
        uses.push(use.kind === 'lock' ? { ...use, verb: 'locks' } : use)
    }
  }

  visit(treeOf(source, path), (node) => {
    if (node.type === 'StringLiteral') readSql(String(node['value']), false)
    if (node.type === 'TaggedTemplateExpression') {
      const { type, value, object, property } = node['tag'] as Node
      const isSql = (type === 'Identifier' && value === 'sql') || isNamed(object, 'sql') || isNamed(property, 'sql')
      if (isSql) readSql(textOf(node['template'] as Node), true)
    }
    if (node.type === 'TemplateLiteral' && node['quasis'] !== undefined) readSql(textOf(node), false)
    if (node.type === 'ImportSpecifier' && isNamed(node['imported'], 'sql')) hidden('sql under another name')
    if (node.type === 'MemberExpression' && loopholes.has(propertyOf(node)))
      hidden(`${propertyOf(node)} lets a query name tables beyond its type`)
    if (node.type === 'CallExpression') readCall(node, tables, uses)
  })
  return uses
}

/** Every text in a source file, the fixed parts of templates among them; comments are none. */
export function textsIn(source: string, path: string): string[] {
  const texts: string[] = []
  visit(treeOf(source, path), (node) => {
    if (node.type === 'StringLiteral') texts.push(String(node['value']))
    if (node.type === 'TemplateLiteral' && node['quasis'] !== undefined) texts.push(textOf(node))
  })
  return texts
}

const treeOf = (source: string, path: string) =>
  parseSync(source, { syntax: 'typescript', tsx: path.endsWith('.tsx'), target: 'es2024' })

function readCall(call: Node, all: { has(table: string): boolean }, uses: TableUse[]): void {
  const method = methodOf(call)
  if (method === undefined) return
  const { tables, isReadable } = tablesIn(call)
  const hidden = (sentence: string): number => uses.push({ kind: 'hidden', sentence })
  if (isNamed((call['callee'] as Node)['object'], 'sql')) {
    if (method === 'table') hidden('sql.table names a table by a value')
    if (method === 'id' || method === 'ref') for (const { table } of tables) read(table)
  }
  if (writes.has(method) || schemaChanges.has(method)) {
    if (!isReadable || tables.length === 0) hidden(`${method} of a table that only a value names`)
    for (const { table } of tables) uses.push({ kind: 'write', verb: method, table })
  }
  if (reads.has(method) && !isReadable) hidden(`${method} of a table that only a value names`)
  if (reads.has(method) || weakReads.has(method)) for (const { table } of tables) read(table)
  if (!locks.has(method) && !wholeRows.has(method)) return
  const from = chainOf(call)
    .filter((each) => [reads, weakReads, writes].some((named) => named.has(methodOf(each) ?? '')))
    .map(tablesIn)
  if (from.length === 0 || from.some((each) => !each.isReadable))
    hidden(`${method} of a query that cannot be read here`)
  for (const { table, alias } of from.flatMap((each) => each.tables)) {
    if (!all.has(table) || (tables.length > 0 && !tables.some((of) => of.table === alias))) continue
    uses.push(locks.has(method) ? { kind: 'lock', verb: method, table } : { kind: 'whole row', table })
  }

  function read(table: string): void {
    if (all.has(table)) uses.push({ kind: 'read', table })
  }
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

/** The tables that the first argument of a call names: a text, or several in a list. A query within it names its own. */
function tablesIn(call: Node): { tables: { table: string; alias: string }[]; isReadable: boolean } {
  const [first] = call['arguments'] as { expression: Node }[]
  if (first === undefined) return { tables: [], isReadable: true }
  const given = bare(first.expression)
  const each = given.type === 'ArrayExpression' ? (given['elements'] as { expression: Node }[]) : [first]
  const named = each.map(({ expression }) => bare(expression)).filter(({ type }) => !queries.has(type))
  const texts = named.map(plainText)
  return {
    isReadable: !texts.includes(undefined),
    tables: texts
      .filter((text) => text !== undefined)
      .map((text) => {
        const [table = '', alias = table] = text.trim().split(/\s+as\s+/i)
        return { table: table.replace(/^public\./, ''), alias }
      }),
  }
}

/** `eb => eb.selectFrom(…)` and `db.selectFrom(…).as(…)` */
const queries = new Set(['ArrowFunctionExpression', 'CallExpression'])
const casts = new Set(['TsAsExpression', 'TsConstAssertion', 'TsSatisfiesExpression', 'ParenthesisExpression'])

function bare(expression: Node): Node {
  return casts.has(expression.type) ? bare(expression['expression'] as Node) : expression
}

function plainText(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node['value'])
  const isPlain = node.type === 'TemplateLiteral' && (node['expressions'] as Node[]).length === 0
  return isPlain ? textOf(node) : undefined
}

function textOf(template: Node): string {
  return (template['quasis'] as { cooked?: string; raw: string }[]).map(({ cooked, raw }) => cooked ?? raw).join(' ? ')
}
