/** What anybody would write by hand to show these items, with the best plan there is. */
const columns =
  'i.id, i.name, i.slug, c.name as category, i.content_type, i.region, i.rating, i.post_date, i.created_at, i.updated_at'

export const itemsByNo = `select ${columns} from items i join categories c on c.id = i.category_id where i.no = any($1::int[])`

interface RawQuestion {
  mask: number
  value: number
  ascending: boolean
  /** Seconds since 1970. */
  from: number
  to: number
  /** The last item of the page before. */
  after: number | undefined
  skip: number
  /** Of a text: what every match has. */
  grams: number[]
  patterns: string[]
}

export interface Statement {
  text: string
  values: unknown[]
}

/** Different ways to the same page; the quickest is the contender. Knows the page before, so that no offset is counted. */
export function rawStatements(question: RawQuestion): Statement[] {
  const { ascending, after, grams, patterns } = question
  const direction = ascending ? 'asc' : 'desc'
  const order = (table: string): string =>
    `order by ${table}.post_date ${direction}, ${table}.created_at ${direction}, ${table}.no ${direction}`
  const values: unknown[] = [question.mask, question.value, question.from, question.to]
  const conditions = [
    `i.status = 'published'`,
    `(i.facets & $1::int) = $2::int`,
    `i.post_date >= to_timestamp($3) and i.post_date < to_timestamp($4)`,
    `(i.lapses_at is null or i.lapses_at > now())`,
  ]
  if (after !== undefined) {
    values.push(after)
    conditions.push(
      `(i.post_date, i.created_at, i.no) ${ascending ? '>' : '<'} (select post_date, created_at, no from items where no = $${values.length}::int)`,
    )
  }
  if (patterns.length === 0) {
    const where = conditions.join(' and ')
    return [
      {
        text: `select ${columns} from items i join categories c on c.id = i.category_id where ${where} ${order('i')} limit 300`,
        values,
      },
      {
        text: `select ${columns} from (select no, post_date, created_at from items i where ${where} ${order('i')} limit 300) page
                 join items i on i.no = page.no join categories c on c.id = i.category_id ${order('i')}`,
        values,
      },
    ]
  }
  values.push(patterns, question.skip)
  const walk = conditions.concat(`i.name_folded like all ($${values.length - 1}::text[])`).join(' and ')
  const skip = `offset $${values.length}::int limit 300`
  const statements = [
    {
      text: `select ${columns} from items i join categories c on c.id = i.category_id where ${walk} ${order('i')} ${skip}`,
      values,
    },
  ]
  if (grams.length > 0) {
    const all = [...values, grams]
    statements.push({
      text: `with matching as materialized (select no, post_date, created_at from items i
               where ${walk} and i.name_grams @> $${all.length}::int[]),
             page as (select no from matching ${order('matching')} ${skip})
             select ${columns} from page join items i on i.no = page.no join categories c on c.id = i.category_id ${order('i')}`,
      values: all,
    })
  }
  return statements
}

/** The ten names that share most grams with a text that nothing matched. */
export const nearestByGrams = `
  select no, name from (
    select no, name, (select count(*) from unnest(name_grams) gram where gram = any($1::int[])) as shared
      from items where status = 'published' and name_grams && $1::int[]) candidates
   order by shared desc, no desc limit 10`
