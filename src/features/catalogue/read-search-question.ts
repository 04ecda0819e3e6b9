import { AppError } from '../../platform/errors.ts'
import { contentTypes, regions } from './content-type.ts'
import type { SearchQuestion } from './search-items.server.ts'

const mostPerPage = 300
const longestText = 200

/**
 * Reads the query of `GET /universal-search/search` (PRODUCT.md, sections 7 and 12). An empty value is no value;
 * a parameter that the interface does not know is not looked at.
 * @throws {AppError} `search.parameter`, 400: names the parameter, its value and what is allowed
 */
export function readSearchQuestion(query: URLSearchParams): SearchQuestion {
  const page = integer(query, 'page', 1, Number.MAX_SAFE_INTEGER / mostPerPage) ?? 1
  const limit = integer(query, 'limit', 1, mostPerPage) ?? mostPerPage
  oneOf(query, 'sortBy', ['postDate'])
  oneOf(query, 'dateField', ['postDate'])
  oneOf(query, 'monthField', ['postDate'])
  const sortOrder = oneOf(query, 'sortOrder', ['ASC', 'DESC'])
  const month = oneOf(query, 'month', months)
  const dateFilter = oneOf(query, 'dateFilter', ['today', 'yesterday', '7days'])
  const contentType = oneOf(query, 'contentType', contentTypes)
  const region = oneOf(query, 'region', regions)
  const tier = oneOf(query, 'tier', ['free', 'vip'])
  const category = text(query, 'category', 60)
  return {
    page,
    limit,
    ascending: sortOrder === 'ASC',
    text: text(query, 'search', longestText) ?? '',
    ...(category === undefined ? {} : { category }),
    ...(month === undefined ? {} : { month: Number(month) }),
    ...(dateFilter === undefined ? {} : { dateFilter }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(region === undefined ? {} : { region }),
    ...(tier === undefined ? {} : { isVip: tier === 'vip' }),
  }
}

const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'] as const

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length > 1) {
    throw refusal(name, `The parameter ${name} was given ${values.length} times. Give it once.`)
  }
  const value = values[0]?.trim()
  return value === '' ? undefined : value
}

function integer(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const value = single(query, name)
  if (value === undefined) return undefined
  const number = Number(value)
  if (!/^\d{1,15}$/.test(value) || number < least || number > most) {
    const allowed = most === mostPerPage ? `a whole number from ${least} to ${most}` : `a whole number from ${least} on`
    throw refusal(name, `The parameter ${name} is ${quoted(value)}. It must be ${allowed}.`)
  }
  return number
}

function oneOf<const T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const value = single(query, name)
  if (value === undefined) return undefined
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) {
    const must = allowed.length === 1 ? `It can only be ${allowed[0]}` : `It must be one of ${allowed.join(', ')}`
    throw refusal(name, `The parameter ${name} is ${quoted(value)}. ${must}.`)
  }
  return found
}

function text(query: URLSearchParams, name: string, longest: number): string | undefined {
  const value = single(query, name)
  if (value === undefined) return undefined
  if (value.length > longest) {
    throw refusal(name, `The parameter ${name} has ${value.length} characters. It may have at most ${longest}.`)
  }
  // PostgreSQL's text has no zero character, and a half surrogate is no character at all.
  if (value.includes('\0') || !value.isWellFormed()) {
    throw refusal(name, `The parameter ${name} is ${quoted(value)}. It must be text without control characters.`)
  }
  return value
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
}

function refusal(field: string, message: string): AppError {
  return new AppError({ code: 'search.parameter', status: 400, message, field })
}
