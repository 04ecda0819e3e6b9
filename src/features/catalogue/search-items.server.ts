import type { App } from '../../platform/app.ts'
import { addDays, dayOf, startOfDay } from '../../platform/site-time.ts'
import type { Viewer } from '../accounts/viewer.ts'
import type { ContentType, Region } from './content-type.ts'
import { facetMask, type FacetQuestion } from './facets.ts'
import type { DateFilter } from './listing.ts'
import { matchNames, nearestNames } from './match-names.server.ts'
import { wordsOf } from './name-text.ts'

export interface SearchQuestion {
  /** From 1. */
  page: number
  /** 1 to 300. */
  limit: number
  ascending: boolean
  /** As typed; '' for none. */
  text: string
  /** Name of a category, without regard to case. */
  category?: string
  /** 1 to 12, of any year. */
  month?: number
  dateFilter?: DateFilter
  contentType?: ContentType
  region?: Region
  /** Whether only VIP or only free types are asked for. */
  isVip?: boolean
}

export interface SearchResult {
  /** Item numbers in listing order. */
  nos: number[]
  /** How many match; a lower bound when `totalIsExact` is false. */
  total: number
  totalIsExact: boolean
  totalPages: number
  /** Numbers of the nearest names, best first; only when a text was given and nothing matched. */
  nearest?: number[]
}

const mostNearest = 10

/**
 * Finds the visible items that answer a question (PRODUCT.md, sections 7 and 12). VIP types are found only for a VIP;
 * whether he may ask for them is the door's concern, here they are simply not there.
 *
 * The total of a very common text is a lower bound that grows with the pages: counting it would read half the
 * catalogue. `totalPages` then says that there is at least one page more.
 */
export async function searchItems(app: App, viewer: Viewer, question: SearchQuestion): Promise<SearchResult> {
  const { listing } = app
  const facets = facetsAsked(app, viewer, question)
  if (facets === undefined) return withNearest(app, viewer, question, nothing)
  const mask = facetMask(facets)
  const stretch = stretchAsked(app, question.dateFilter)
  const skip = (question.page - 1) * question.limit
  const words = wordsOf(question.text)
  if (words.length === 0) {
    const total = listing.count(stretch, mask)
    return {
      nos: listing.page(stretch, mask, question.ascending, skip, question.limit),
      total,
      totalIsExact: true,
      totalPages: Math.ceil(total / question.limit),
    }
  }
  const end = skip + question.limit
  // Where fewer items are listed than the page begins with, nobody need look at all their names.
  const atLeast = skip >= listing.count(stretch, mask) ? 1 : end + 1
  const { nos, isAll } = await matchNames(app, { words, stretch, mask, ascending: question.ascending }, atLeast)
  return withNearest(app, viewer, question, {
    nos: nos.slice(skip, end),
    total: nos.length,
    totalIsExact: isAll,
    totalPages: Math.ceil(nos.length / question.limit),
  })
}

const nothing: SearchResult = { nos: [], total: 0, totalIsExact: true, totalPages: 0 }

/** Undefined when nothing can match: an unknown category, or a kind of item that the viewer may not see. */
function facetsAsked(app: App, viewer: Viewer, question: SearchQuestion): FacetQuestion | undefined {
  const facets: FacetQuestion = {}
  if (!viewer.isVip) {
    if (question.isVip === true) return undefined
    facets.isVip = false
  } else if (question.isVip !== undefined) {
    facets.isVip = question.isVip
  }
  if (question.contentType !== undefined) facets.contentType = question.contentType
  if (question.region !== undefined) facets.region = question.region
  if (question.month !== undefined) facets.month = question.month
  if (question.category !== undefined) {
    const categoryId = app.listing.categoryId(question.category)
    if (categoryId === undefined) return undefined
    facets.categoryId = categoryId
  }
  return facets
}

function stretchAsked(app: App, dateFilter: DateFilter | undefined) {
  const { timeZone } = app.config
  const today = dayOf(app.clock.now(), timeZone)
  const start = (day: string): number => startOfDay(day, timeZone)
  switch (dateFilter) {
    case undefined:
      return app.listing.stretch()
    case 'today':
      return app.listing.stretch(start(today), start(addDays(today, 1)))
    case 'yesterday':
      return app.listing.stretch(start(addDays(today, -1)), start(today))
    case '7days':
      return app.listing.stretch(start(addDays(today, -6)), start(addDays(today, 1)))
  }
}

/** The nearest names are looked for among everything of the same tier: a filter may be what hides the right one. */
async function withNearest(
  app: App,
  viewer: Viewer,
  question: SearchQuestion,
  result: SearchResult,
): Promise<SearchResult> {
  if (result.total > 0 || wordsOf(question.text).length === 0) return result
  const tier = viewer.isVip ? question.isVip : false
  const within = facetMask(tier === undefined ? {} : { isVip: tier })
  return { ...result, nearest: await nearestNames(app, question.text, within, mostNearest) }
}
