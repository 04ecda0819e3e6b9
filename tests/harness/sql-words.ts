/** Anything that an SQL text does with a table. An alias is the name by which the rest of the text refers to it. */
export type SqlUse =
  | { kind: 'write'; verb: string; table: string }
  | { kind: 'read'; table: string; alias: string }
  | { kind: 'lock'; table: string }
  | { kind: 'whole row'; table: string }

/** A table that stands where only a value does. */
export const byValue = '?'

interface Word {
  text: string
  /** A name in quotes is never a keyword. */
  isQuoted: boolean
}

/** An SQL text as words and signs in lower case, without comments and strings. */
function wordsOf(sql: string): Word[] {
  const words: Word[] = []
  for (const [whole, quoted, bare] of sql.matchAll(
    /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"((?:[^"]|"")*)"|([a-z_][\w$]*)|\S/gi,
  )) {
    if (/^(?:--|\/\*|')/.test(whole)) continue
    words.push({ text: quoted ?? (bare ?? whole).toLowerCase(), isQuoted: quoted !== undefined })
  }
  return words
}

const verbs = [
  'insert into',
  'update',
  'delete from',
  'merge into',
  'truncate table',
  'truncate',
  'lock table',
  'copy',
  'alter table if exists',
  'alter table',
  'drop table if exists',
  'drop table',
].map((verb) => verb.split(' '))

/** A word after the name of a table that is no alias of it. */
const noAlias = new Set(
  'join inner left right full cross natural lateral on using where set values for group having window order limit offset fetch union except intersect returning select default with when then end and or as'.split(
    ' ',
  ),
)

const endsFrom = new Set(['where', 'group', 'having', 'window', 'order', 'limit', 'union', 'except', 'intersect'])

/**
 * Finds what an SQL text, or a part of one, does with tables. Every name of a table counts, wherever it stands: only a
 * column of it (`items.name`) and a name that is given (`as items`) do not.
 * @param isTable says of a name whether it is a table
 */
export function usesInSql(sql: string, isTable: (name: string) => boolean): SqlUse[] {
  const words = wordsOf(sql)
  const is = (at: number, ...texts: string[]): boolean =>
    texts.every((text, i) => words[at + i]?.text === text && words[at + i]?.isQuoted === false)
  // Upkeep reads nothing that it could tell.
  if (is(0, 'vacuum') || is(0, 'analyze')) return []
  const uses: SqlUse[] = []
  const places = new Map<number, string>()

  /** The place of the name that begins here, behind `only` and the schema. */
  const nameAt = (at: number): number => {
    const start = is(at, 'only') ? at + 1 : at
    return words[start]?.text === 'public' && is(start + 1, '.') ? start + 2 : start
  }

  const aliasAt = (place: number): string => {
    const next = is(place + 1, 'as') ? words[place + 2] : words[place + 1]
    const isAlias = next !== undefined && /^\w/.test(next.text) && (next.isQuoted || !noAlias.has(next.text))
    return isAlias ? next.text : (words[place]?.text ?? '')
  }

  /** Whether the text takes all columns of the table that is named at a place: `i.*`, `to_json(i)`, or a bare `*`. */
  const isWhole = (place: number): boolean => {
    const alias = aliasAt(place)
    return words.some(({ text }, at) => {
      if (text === '*') {
        if (is(at - 1, '.')) return words[at - 2]?.text === alias
        if (is(at - 1, 'returning')) return true
        return (is(at - 1, 'select') || is(at - 1, 'distinct') || is(at - 1, ',')) && isInFrom(place, at)
      }
      return text === alias && at !== place && is(at - 1, '(') && is(at + 1, ')')
    })
  }

  /** Whether a place belongs to the tables of the query whose list of columns has a star at another place. */
  const isInFrom = (place: number, star: number): boolean => {
    let depth = 0
    for (let at = star + 1; at < words.length && depth >= 0; at++) {
      if (at === place) return true
      if (is(at, '(')) depth++
      else if (is(at, ')')) depth--
      else if (depth === 0 && endsFrom.has(words[at]?.text ?? '')) return false
    }
    return false
  }

  for (let at = 0; at < words.length; at++) {
    const verb = verbs.find((each) => is(at, ...each))
    const isOfLock = is(at - 1, 'for') || is(at - 1, 'key') || is(at - 1, 'do')
    if (verb === undefined || isOfLock) continue
    let place = at + verb.length
    do {
      place = nameAt(place)
      const table = words[place]?.text ?? ''
      if (table === byValue || isTable(table)) uses.push({ kind: 'write', verb: verb.join(' '), table })
      places.set(place, table)
      place += 2
    } while (is(place - 1, ','))
    at += verb.length - 1
  }

  words.forEach(({ text }, at) => {
    if (!isTable(text) || places.has(at) || is(at + 1, '.') || is(at - 1, 'as')) return
    const isOfSchema = words[at - 2]?.text === 'public' || is(at - 3, 'from') || is(at - 3, 'join')
    if (is(at - 1, '.') && !isOfSchema) return
    uses.push({ kind: 'read', table: text, alias: aliasAt(at) })
    places.set(at, text)
  })

  for (const [place, table] of places) if (isTable(table) && isWhole(place)) uses.push({ kind: 'whole row', table })

  const reads = uses.filter((use) => use.kind === 'read')
  for (let at = 0; at < words.length; at++) {
    const strength = [
      ['for', 'no', 'key', 'update'],
      ['for', 'key', 'share'],
      ['for', 'update'],
      ['for', 'share'],
    ].find((each) => is(at, ...each))
    if (strength === undefined) continue
    const named: string[] = []
    for (let next = at + strength.length; is(next, named.length === 0 ? 'of' : ','); next += 2)
      named.push(words[next + 1]?.text ?? '')
    for (const { table, alias } of reads) {
      if (named.length === 0 || named.includes(alias)) uses.push({ kind: 'lock', table })
    }
  }
  return uses
}
