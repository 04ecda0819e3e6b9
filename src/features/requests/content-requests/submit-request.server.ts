import { uuidv7 } from 'uuidv7'
import type { Queryable } from '../../../db/queryable.ts'
import { type AppError, defineError } from '../../../platform/errors.ts'
import { invalidSession } from '../../accounts/sessions/recognise-session.server.ts'
import { lockUser } from '../../accounts/user/lock-user.server.ts'
import { hasInvisible } from '../../../platform/invisible-characters.ts'
import { anonymous, requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { foldText } from '../../catalogue/item/name-text.ts'
import type { RequestsApp, RequestsDatabase, RequestsTransaction } from '../app.ts'
import { foldTitle, trigramsOfTitle, tidyTitle } from './folded-title.ts'
import { isOpenFor, noSuchRequest, readForMember } from './read-requests.server.ts'
import { limitFreshAccounts, limitSubmissions, limitVotes } from './request-limits.server.ts'
import { maxDescription, maxTitle, type RequestForMember } from './request-schema.ts'
import { holdsWebAddress } from './web-address.ts'
import { readProhibitedTerms } from '../../catalogue/publishing/read-gate.server.ts'

/** How many new requests a member may make in 24 hours. */
const newADay = 10
const dayMs = 86_400_000
/** Folding writes out the signs that stand for several letters: so many times the characters are allowed, written out. */
const maxGrowth = 2

/* A voter's account is locked first, then the request. The deletion of an account takes its locks in the same
   order, so they cannot deadlock. */

/**
 * Makes a request with its author's vote. An open request of the same title gets the vote instead; a visible item that
 * fulfils it is shown instead.
 * @param wanted.address of the caller, which counts new requests of fresh accounts as well
 * @returns the request, and whether it is new
 * @throws {AppError} `recommendation.invalid`, 422; `recommendation.daily_limit`, `limit.exceeded`, 429
 */
export async function submitRequest(
  app: RequestsApp,
  viewer: Viewer,
  wanted: { title: string; description: string; address: string },
): Promise<{ request: RequestForMember; isNew: boolean }> {
  const { id: userId } = requireMember(viewer)
  const title = tidyTitle(wanted.title)
  const folded = foldTitle(title)
  const description = wanted.description.replaceAll('\r\n', '\n').trim()
  assertRules({ title, folded, description })
  await limitVotes(app, userId)
  await limitSubmissions(app, userId)
  // A member at today's limit is refused before their text is searched; the transaction decides.
  const isNewAtFirst = (await findTaken(app, app.db, viewer, folded)) === undefined
  if (isNewAtFirst) await assertMayMakeNew(app.db, userId, new Date(app.clock.now()))
  await assertFitToShow(app, { title, description })
  const giveBack =
    isNewAtFirst && (await isFresh(app, userId)) ? await limitFreshAccounts(app, wanted.address) : undefined
  const submit = app.db.transaction().execute(async (trx) => {
    if ((await lockUser(trx, userId)) === undefined) throw invalidSession()
    const now = new Date(app.clock.now())
    const found =
      (await findTaken(app, trx, viewer, folded)) ??
      (await insert(app, trx, viewer, { userId, title, folded, description, now }))
    if (found.isOpen) await vote(trx, { requestId: found.id, userId, now })
    return found
  })
  const submitted = await submit.catch(async (error: unknown) => {
    await giveBack?.()
    throw error
  })
  if (!submitted.isNew) await giveBack?.()
  const [request] = await readForMember(app, viewer, [submitted.id])
  if (request === undefined) throw noSuchRequest()
  return { request, isNew: submitted.isNew }
}

async function isFresh({ db, clock }: Pick<RequestsApp, 'db' | 'clock'>, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirst()
  return user !== undefined && user.created_at.getTime() > clock.now() - dayMs
}

const refuse = (field: string, sentence: string): AppError => invalidRequest(sentence, { field })

export const invalidRequest = defineError({
  code: 'recommendation.invalid',
  status: 422,
  remedy: 'Correct the field that the answer names.',
})

/** Every member reads a request before anybody decides it: what no name here may hold, it may not either. */
async function assertFitToShow(
  { db }: Pick<RequestsApp, 'db'>,
  texts: { title: string; description: string },
): Promise<void> {
  const terms = await readProhibitedTerms(db)
  for (const field of ['title', 'description'] as const) {
    if (holdsWebAddress(texts[field])) {
      throw refuse(
        field,
        `The ${field} holds a web address. Leave it out, and say what the work is called, who made it and when.`,
      )
    }
    // Not the term: from that, anybody could read the operator's list out.
    const written = terms.findWritten(texts[field])
    if (written !== undefined) {
      throw refuse(
        field,
        `The ${field} holds the prohibited term '${shortened(written)}'. Only material that is cleared for distribution is published here: ask for that, in other words.`,
      )
    }
  }
  if (terms.findBetween(texts.title, texts.description) !== undefined) {
    throw refuse(
      'description',
      'Title and description together hold a prohibited term. Only material that is cleared for distribution is published here: ask for that, in other words.',
    )
  }
}

const longestWritten = 60

function shortened(words: string): string {
  const characters = [...words]
  return characters.length > longestWritten ? `${characters.slice(0, longestWritten).join('')}…` : words
}

function assertRules({ title, folded, description }: { title: string; folded: string; description: string }): void {
  if (folded === '') throw refuse('title', 'Title is required')
  if (hasInvisible(title, { mayJoin: true }))
    throw refuse('title', 'Please write the title without invisible characters.')
  if ([...title].length > maxTitle) throw refuse('title', `The title has at most ${maxTitle} characters.`)
  if ([...description].length > maxDescription)
    throw refuse('description', `The description has at most ${maxDescription.toLocaleString('en-US')} characters.`)
  for (const [field, text, most] of [
    ['title', title, maxTitle],
    ['description', description, maxDescription],
  ] as const) {
    if (foldText(text).length > most * maxGrowth)
      throw refuse(
        field,
        `The ${field} is too long once its signs are written out as letters. Write it in plain letters.`,
      )
  }
}

interface Submitted {
  id: string
  isNew: boolean
  /** Whether it takes the caller's vote. */
  isOpen: boolean
}

/**
 * The request that has this title. A fulfilled one leaves it free only once everybody may see the item: a second request
 * beside it would tell those who may not that the first one is closed to others.
 */
async function findTaken(
  app: RequestsApp,
  db: Queryable<RequestsDatabase>,
  viewer: Viewer,
  folded: string,
): Promise<Submitted | undefined> {
  const row = await db
    .selectFrom('content_requests as r')
    .select(['r.id', isOpenFor(app, viewer).as('isOpen')])
    .where('r.title_folded', '=', folded)
    .where(isOpenFor(app, anonymous))
    .orderBy('r.fulfilled_at', (order) => order.asc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, isNew: false }
}

/** @throws {AppError} `recommendation.daily_limit`, 429 */
async function assertMayMakeNew(db: Queryable<RequestsDatabase>, userId: string, now: Date): Promise<void> {
  const recent = await db
    .selectFrom('content_requests')
    .select(['created_at'])
    .where('author_id', '=', userId)
    .where('created_at', '>', new Date(now.getTime() - dayMs))
    .orderBy('created_at')
    .execute()
  const oldest = recent.at(-newADay)
  if (oldest !== undefined) {
    throw dailyLimitReached({
      retryAfterSeconds: Math.ceil((oldest.created_at.getTime() + dayMs - now.getTime()) / 1_000),
    })
  }
}

async function insert(
  app: RequestsApp,
  trx: RequestsTransaction,
  viewer: Viewer,
  row: { userId: string; title: string; folded: string; description: string; now: Date },
): Promise<Submitted> {
  const { userId, title, folded, description, now } = row
  await assertMayMakeNew(trx, userId, now)
  // Somebody may have made the same request meanwhile, or closed it again: the title is looked for a second time.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const inserted = await trx
      .insertInto('content_requests')
      .values({
        id: uuidv7(),
        author_id: userId,
        title,
        title_folded: folded,
        title_grams: trigramsOfTitle(folded),
        description,
        created_at: now,
        decided_at: null,
        item_id: null,
        fulfilled_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    const found =
      inserted === undefined
        ? await findTaken(app, trx, viewer, folded)
        : { id: inserted.id, isNew: true, isOpen: true }
    if (found !== undefined) return found
  }
  throw new Error('A request was made and closed at every attempt.')
}

async function vote(
  trx: RequestsTransaction,
  { requestId, userId, now }: { requestId: string; userId: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('request_votes')
    .values({ request_id: requestId, user_id: userId, voted_at: now, notified_at: null })
    .onConflict((conflict) => conflict.columns(['request_id', 'user_id']).doNothing())
    .execute()
}

/**
 * Votes for an open request, or takes the vote back. However often it is said, it is one vote.
 * @throws {AppError} `recommendation.not_found`, 404; `recommendation.closed`, 409; `recommendation.own_vote`, 409; `limit.exceeded`, 429
 */
export async function setVote(
  app: RequestsApp,
  viewer: Viewer,
  { id, isFor }: { id: string; isFor: boolean },
): Promise<RequestForMember> {
  const { id: userId } = requireMember(viewer)
  await limitVotes(app, userId)
  await app.db.transaction().execute(async (trx) => {
    if ((await lockUser(trx, userId)) === undefined) throw invalidSession()
    const request = await trx
      .selectFrom('content_requests as r')
      .select(['r.author_id', 'r.removed_at', isOpenFor(app, viewer).as('isOpen')])
      .where('r.id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (request === undefined || request.removed_at !== null) throw noSuchRequest()
    if (!request.isOpen) {
      throw requestClosed()
    }
    if (isFor) return vote(trx, { requestId: id, userId, now: new Date(app.clock.now()) })
    if (request.author_id === userId) {
      throw ownVoteStays()
    }
    await trx.deleteFrom('request_votes').where('request_id', '=', id).where('user_id', '=', userId).execute()
  })
  const [request] = await readForMember(app, viewer, [id])
  if (request === undefined) throw noSuchRequest()
  return request
}

export const dailyLimitReached = defineError({
  code: 'recommendation.daily_limit',
  status: 429,
  sentence: `You can make ${newADay} new requests a day. Votes for others are not limited by that.`,
  remedy: 'Wait as long as `Retry-After` says.',
  isCounted: true,
})

export const requestClosed = defineError({
  code: 'recommendation.closed',
  status: 409,
  sentence: 'This request is closed.',
  remedy: 'Nothing: it was rejected or fulfilled, and takes no votes any more.',
})

export const ownVoteStays = defineError({
  code: 'recommendation.own_vote',
  status: 409,
  sentence: 'Your own request counts as your vote.',
  remedy: 'Nothing: who asks for something also votes for it.',
})
