import { z } from 'zod'
import { badParameter } from '../../../http/parameters.ts'
import { contentTypes, regions } from '../item/content-type.ts'
import { isDecade } from '../item/decade.ts'
import { quoted } from '../item/field-readers.ts'
import { charactersIn, longestName } from '../item/longest-name.ts'
import { type TermKind, termKinds, type TermQuery } from '../item/terms.ts'
import { vipShelfNames } from '../item/vip-shelf.ts'
import { isAt } from './instant-in-address.ts'
import type { SearchQuery } from './search-items.server.ts'
import { canonicalTag } from '../item/languages.ts'

const maxPerPage = 300
const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'] as const
const dateFilters = ['today', 'yesterday', '7days'] as const
const sortOrders = ['ASC', 'DESC'] as const

/**
 * Reads the query of `GET /universal-search/search` (docs/spec/search.md#parameters). An empty value is no value;
 * a parameter that the interface does not know is not looked at.
 * @throws {AppError} `search.parameter`, 400: names the parameter, its value and what is allowed
 */
export function readSearchQuery(query: URLSearchParams): SearchQuery {
  const page = integer(query, 'page', 1, Number.MAX_SAFE_INTEGER / maxPerPage) ?? 1
  const limit = integer(query, 'limit', 1, maxPerPage) ?? maxPerPage
  const sortBy = oneOf(query, 'sortBy', ['postDate', 'fit'])
  oneOf(query, 'dateField', ['postDate'])
  oneOf(query, 'monthField', ['postDate'])
  const sortOrder = oneOf(query, 'sortOrder', sortOrders)
  if (sortBy === 'fit' && sortOrder === 'ASC')
    throw badParameter('The parameter sortOrder cannot be ASC where sortBy is fit. Leave it out.', {
      field: 'sortOrder',
    })
  const month = oneOf(query, 'month', months)
  const dateFilter = oneOf(query, 'dateFilter', dateFilters)
  const contentType = oneOf(query, 'contentType', contentTypes)
  const region = oneOf(query, 'region', regions)
  const tier = oneOf(query, 'tier', ['free', 'vip'])
  const shelf = oneOf(query, 'shelf', vipShelfNames)
  const category = text(query, 'category', 60)
  const terms = readTerms(query)
  const at = readAt(query, { isByFit: sortBy === 'fit' })
  const marks = oneOf(query, 'marks', ['true'])
  return {
    page,
    ...(at === undefined ? {} : { at }),
    ...(terms === undefined ? {} : { terms }),
    limit,
    ascending: sortOrder === 'ASC',
    ...(sortBy === 'fit' ? { byFit: true } : {}),
    text: text(query, 'search', longestName) ?? '',
    ...(category === undefined ? {} : { category }),
    ...(month === undefined ? {} : { month: Number(month) }),
    ...(dateFilter === undefined ? {} : { dateFilter }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(region === undefined ? {} : { region }),
    ...(tier === undefined ? {} : { isVip: tier === 'vip' }),
    ...(shelf === undefined ? {} : { shelf }),
    ...(marks === undefined ? {} : { withMarks: true }),
  }
}

/** How long a value may be, in characters. */
const longestTerm = { language: 60, format: 20, creator: 200, series: 200, tag: 60 } as const

function readTerms(query: URLSearchParams): TermQuery | undefined {
  const terms: Partial<Record<TermKind, string>> = {}
  for (const kind of termKinds) {
    const value = kind === 'decade' ? decade(query) : text(query, kind, longestTerm[kind])
    if (value !== undefined) terms[kind] = kind === 'language' ? languageIn(value) : value
  }
  return Object.keys(terms).length === 0 ? undefined : terms
}

function languageIn(value: string): string {
  const tag = canonicalTag(value)
  if (tag !== undefined) return tag
  throw badParameter(`The parameter language is ${quoted(value, 80)}. It must be a code such as en or pt-BR.`, {
    field: 'language',
  })
}

function decade(query: URLSearchParams): string | undefined {
  const value = single(query, 'decade')
  if (value === undefined) return undefined
  if (!isDecade(value)) {
    throw badParameter(
      `The parameter decade is ${quoted(value, 80)}. It must be the first year of a decade, such as 1890, from -3000 to 2990.`,
      { field: 'decade' },
    )
  }
  return value
}

function readAt(query: URLSearchParams, { isByFit }: { isByFit: boolean }): string | undefined {
  const at = single(query, 'at')
  if (at === undefined) return undefined
  if (!isAt(at)) {
    throw badParameter(
      `The parameter at is ${quoted(at, 80)}. It must be a year, a month or a day, such as 2006, 2006-05 or 2006-05-17.`,
      {
        field: 'at',
      },
    )
  }
  if (isByFit) {
    throw badParameter('The parameter at cannot be given where sortBy is fit: such a list is in no order of time.', {
      field: 'at',
    })
  }
  if (single(query, 'page') !== undefined) {
    throw badParameter('The parameters at and page were both given. Give one of them.', { field: 'at' })
  }
  return at
}

const pageSchema = (min: number, max: number | undefined, description: string) =>
  z
    .string()
    .optional()
    .meta({ type: 'integer', minimum: min, ...(max === undefined ? {} : { maximum: max }), description })

/** The parameters for the documentation: `readSearchQuery` validates them, each with its own sentence. */
export const SearchParameters = z.object({
  search: z
    .string()
    .max(longestName)
    .optional()
    .meta({ description: 'Words of the title, other titles, creators, series and tags.' }),
  category: z.string().max(60).optional().meta({ description: 'The name of a category, in any case.' }),
  contentType: z.enum(contentTypes).optional().meta({ description: 'VIP types are for VIPs alone.' }),
  region: z.enum(regions).optional(),
  tier: z.enum(['free', 'vip']).optional().meta({ description: 'vip is for VIPs alone.' }),
  shelf: z.enum(vipShelfNames).optional().meta({
    description:
      'A list of the VIP area, for VIPs alone: VIP items of its categories; vip-first: the free items of early access.',
  }),
  language: z
    .string()
    .max(longestTerm.language)
    .optional()
    .meta({ description: 'A language code in any case; pt finds pt-BR as well.' }),
  format: z
    .string()
    .max(longestTerm.format)
    .optional()
    .meta({ description: 'The format of one of the links, such as EPUB.' }),
  decade: z.string().optional().meta({
    type: 'integer',
    minimum: -3000,
    maximum: 2990,
    multipleOf: 10,
    description: 'The first year of the decade of the work: 1890 for 1890 to 1899.',
  }),
  creator: z.string().max(longestTerm.creator).optional().meta({ description: 'The whole name of a creator.' }),
  series: z.string().max(longestTerm.series).optional().meta({ description: 'The whole name of a series.' }),
  tag: z.string().max(longestTerm.tag).optional().meta({ description: 'A whole tag.' }),
  month: z.enum(months).optional().meta({ description: 'The month of the post date, of any year.' }),
  dateFilter: z.enum(dateFilters).optional().meta({ description: 'In days of the time zone of the site.' }),
  page: pageSchema(1, undefined, 'Which page of the list, from 1; 1 where it is not said.'),
  limit: pageSchema(1, maxPerPage, `How many items a page has; ${maxPerPage} where it is not said.`),
  at: z
    .string()
    .optional()
    .meta({
      examples: ['2006', '2006-05', '2006-05-17'],
      description:
        'A year, a month or a day: the page that holds the first entry not after its end, in place of page; not with sortBy=fit.',
    }),
  sortOrder: z.enum(sortOrders).optional().meta({ description: 'By post date; DESC where it is not said.' }),
  sortBy: z
    .enum(['postDate', 'fit'])
    .optional()
    .meta({ description: 'fit: what answers the text best comes first; without a text the same as postDate.' }),
  marks: z
    .literal('true')
    .optional()
    .meta({ description: 'Answers where the text was found in the title, other titles and creators.' }),
  dateField: z.literal('postDate').optional(),
  monthField: z.literal('postDate').optional(),
})

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length > 1) {
    throw badParameter(`The parameter ${name} was given ${values.length} times. Give it once.`, { field: name })
  }
  const value = values[0]?.trim()
  return value === '' ? undefined : value
}

function integer(query: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const value = single(query, name)
  if (value === undefined) return undefined
  const number = Number(value)
  if (!/^\d{1,15}$/.test(value) || number < min || number > max) {
    const allowed = max === maxPerPage ? `a whole number from ${min} to ${max}` : `a whole number from ${min} on`
    throw badParameter(`The parameter ${name} is ${quoted(value, 80)}. It must be ${allowed}.`, { field: name })
  }
  return number
}

function oneOf<const T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const value = single(query, name)
  if (value === undefined) return undefined
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) {
    const must = allowed.length === 1 ? `It can only be ${allowed[0]}` : `It must be one of ${allowed.join(', ')}`
    throw badParameter(`The parameter ${name} is ${quoted(value, 80)}. ${must}.`, { field: name })
  }
  return found
}

function text(query: URLSearchParams, name: string, longest: number): string | undefined {
  const value = single(query, name)
  if (value === undefined) return undefined
  const length = charactersIn(value)
  if (length > longest) {
    throw badParameter(`The parameter ${name} has ${length} characters. It may have at most ${longest}.`, {
      field: name,
    })
  }
  // PostgreSQL's text has no zero character, and a half surrogate is no character at all.
  if (value.includes('\0') || !value.isWellFormed()) {
    throw badParameter(`The parameter ${name} is ${quoted(value, 80)}. It must be text without control characters.`, {
      field: name,
    })
  }
  return value
}
