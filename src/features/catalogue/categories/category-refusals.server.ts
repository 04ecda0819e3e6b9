import type { Transaction } from 'kysely'
import { type AppError, defineError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { categoryName } from '../item/field-readers.ts'
import { foldText } from '../item/name-text.ts'
import { type Prohibition, prohibitionInWords, remedyOf } from '../publishing/prohibited-terms.ts'
import { readProhibitedTerms } from '../publishing/read-gate.server.ts'

/**
 * The name of a category as it is stored.
 * @throws {AppError} `categories.name`, `term.prohibited`
 */
export async function readCategoryName(
  { db }: Pick<CatalogueApp, 'db'>,
  typed: string,
): Promise<{ name: string; folded: string }> {
  const { data: name, error } = categoryName.safeParse(typed)
  if (name === undefined) throw badCategoryName(error.issues[0]?.message ?? 'cannot be used.')
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
    throw entryProhibited(name, item.name, prohibitionInWords(found), remedyOf(found))
  }
}

/** @param found undefined where the database alone has found it */
function prohibited(name: string, found: Prohibition | undefined): AppError {
  const held = found === undefined ? 'a prohibited term' : prohibitionInWords(found)
  const remedy = remedyOf(found ?? { rule: 'term', terms: [] })
  return termProhibited(name, held, remedy)
}

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
  if (category.is_fixed && !mayBeFixed) throw categoryFixed(category.name)
  const merging = await trx
    .selectFrom('category_merges')
    .select(['from_name', 'into_name'])
    .where('state', '=', 'merging')
    // Into one category several may go at once.
    .where((where) =>
      mayBeFixed ? where('from_id', '=', id) : where.or([where('from_id', '=', id), where('into_id', '=', id)]),
    )
    .executeTakeFirst()
  if (merging !== undefined) throw categoryMerging(merging.from_name, merging.into_name)
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
      throw categoryExists(taken?.name ?? name, { cause: error })
    }
    if (code === 'DB007') throw prohibited(name, undefined)
    if (code === 'DB010') throw neededByType(name, { cause: error })
    throw error
  }
}

export const neededByType = defineError({
  code: 'categories.type_needs_it',
  status: 409,
  sentence: (name: string) =>
    `Published entries of the category '${name}' have a type that needs it, such as banned. Change their type, or unpublish them, first.`,
  remedy: 'Change the type of these items, or unpublish them, first.',
})

export const categoryNotFound = defineError({
  code: 'categories.not_found',
  status: 404,
  sentence: 'There is no such category any more.',
  remedy: 'Take the id from the list of categories.',
})

export const badCategoryName = defineError({
  code: 'categories.name',
  status: 422,
  field: 'name',
  sentence: (problem: string) => `The name ${problem}`,
  remedy: 'Send a name of 1 to 60 visible characters.',
})

const prohibitedName = {
  code: 'term.prohibited',
  status: 422,
  field: 'name',
  remedy: 'Choose another name. The reason of an entry has this code, too, with the field that holds the term.',
}

export const entryProhibited = defineError({
  ...prohibitedName,
  sentence: (name: string, entry: string, held: string, remedy: string) =>
    `The category cannot be called '${name}': with its entry '${entry}' that holds ${held}. ${remedy}`,
})

const termProhibited = defineError({
  ...prohibitedName,
  sentence: (name: string, held: string, remedy: string) =>
    `The category '${name}' is not allowed: it holds ${held}. ${remedy}`,
})

export const categoryFixed = defineError({
  code: 'categories.fixed',
  status: 409,
  sentence: (name: string) =>
    `The category '${name}' belongs to pages of its own: it can be neither renamed, merged nor removed.`,
  remedy: 'Leave Banned and Unknown as they are.',
})

export const categoryMerging = defineError({
  code: 'categories.merging',
  status: 409,
  sentence: (from_name: string, into_name: string) =>
    `The category '${from_name}' is being merged into '${into_name}'. Please wait.`,
  remedy: 'Wait until the merge is done.',
})

export const categoryExists = defineError({
  code: 'categories.exists',
  status: 409,
  field: 'name',
  sentence: (name: string) => `There is a category '${name}' already. Case and accents make no difference.`,
  remedy: 'Choose another name, or merge the two.',
})
