import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { categoryName } from '../item/field-readers.ts'
import { foldText } from '../item/name-text.ts'
import { type Prohibition, prohibitionInWords, remedyOf } from '../publishing/prohibited-terms.ts'
import { readProhibitedTerms } from '../publishing/read-prohibited-terms.server.ts'

/**
 * The name of a category as it is stored.
 * @throws {AppError} `categories.name`, `term.prohibited`
 */
export async function readCategoryName(
  { db }: Pick<CatalogueApp, 'db'>,
  given: string,
): Promise<{ name: string; folded: string }> {
  const { data: name, error } = categoryName.safeParse(given)
  if (name === undefined) {
    const message = `The name ${error.issues[0]?.message ?? 'cannot be used.'}`
    throw new AppError({ code: 'categories.name', status: 422, message, field: 'name' })
  }
  const found = (await readProhibitedTerms(db)).findInCategory(name)
  if (found !== undefined) throw prohibited(name, found)
  return { name, folded: foldText(name) }
}

/**
 * Refuses a name under which an entry on the site would be prohibited; the caller holds the lock of the catalogue.
 * @throws {AppError} `term.prohibited`, 422
 */
export async function refusePairs(
  trx: Transaction<CatalogueDatabase>,
  { id, name }: { id: number; name: string },
): Promise<void> {
  const terms = await readProhibitedTerms(trx)
  if (!terms.holdsHalf(name)) return
  const items = await trx
    .selectFrom('items')
    .select('name')
    .where('category_id', '=', id)
    .where('status', '=', 'published')
    .execute()
  for (const item of items) {
    const found = terms.findBetween(item.name, name)
    if (found === undefined) continue
    throw new AppError({
      code: 'term.prohibited',
      status: 422,
      message: `The category cannot be called '${name}': with its entry '${item.name}' that holds ${prohibitionInWords(found)}. ${remedyOf(found)}`,
      field: 'name',
    })
  }
}

/** @param found undefined where the database alone has found it */
function prohibited(name: string, found: Prohibition | undefined): AppError {
  const held = found === undefined ? 'a prohibited term' : prohibitionInWords(found)
  const remedy = remedyOf(found ?? { rule: 'term', terms: [] })
  return new AppError({
    code: 'term.prohibited',
    status: 422,
    message: `The category '${name}' is not allowed: it holds ${held}. ${remedy}`,
    field: 'name',
  })
}

/** A category, locked. */
export interface LockedCategory {
  id: number
  name: string
  name_folded: string
}

/**
 * Reads a category that is to be changed; the caller holds the lock of the catalogue.
 * @param isTarget whether others only go into it
 * @throws {AppError} `categories.not_found`, `categories.fixed`, `categories.merging`
 */
export async function lockCategory(
  trx: Transaction<CatalogueDatabase>,
  id: number,
  { isTarget: mayBeFixed = false } = {},
): Promise<LockedCategory> {
  const category = await trx.selectFrom('categories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (category === undefined) throw categoryNotFound()
  if (category.is_fixed && !mayBeFixed) {
    throw new AppError({
      code: 'categories.fixed',
      status: 409,
      message: `The category '${category.name}' belongs to pages of its own: it can be neither renamed, merged nor removed.`,
    })
  }
  const merging = await trx
    .selectFrom('category_merges')
    .select(['from_name', 'into_name'])
    .where('state', '=', 'merging')
    // Into one category several may go at once.
    .where((where) =>
      mayBeFixed ? where('from_id', '=', id) : where.or([where('from_id', '=', id), where('into_id', '=', id)]),
    )
    .executeTakeFirst()
  if (merging !== undefined) {
    throw new AppError({
      code: 'categories.merging',
      status: 409,
      message: `The category '${merging.from_name}' is being merged into '${merging.into_name}'. Please wait.`,
    })
  }
  return category
}

/**
 * Does the write; what the database refuses becomes a sentence.
 * @throws {AppError} `categories.exists`, `term.prohibited`, `categories.type_needs_it`
 */
export async function withSentences<T>(
  { db }: Pick<CatalogueApp, 'db'>,
  { name, folded }: { name: string; folded: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === '23505') {
      // It is called what it is, however the new name is spelt.
      const taken = await db
        .selectFrom('categories')
        .select('name')
        .where('name_folded', '=', folded)
        .executeTakeFirst()
      throw new AppError({
        code: 'categories.exists',
        status: 409,
        message: `There is a category '${taken?.name ?? name}' already. Case and accents make no difference.`,
        field: 'name',
        cause: error,
      })
    }
    if (code === 'DB007') throw prohibited(name, undefined)
    if (code === 'DB010') throw neededByType(name, error)
    throw error
  }
}

export function neededByType(name: string, cause?: unknown): AppError {
  return new AppError({
    code: 'categories.type_needs_it',
    status: 409,
    message: `Published entries of the category '${name}' have a type that needs it, such as banned. Change their type, or unpublish them, first.`,
    cause,
  })
}

export function categoryNotFound(): AppError {
  return new AppError({ code: 'categories.not_found', status: 404, message: 'There is no such category any more.' })
}
