import type { AdminHomePart, FirstStep, Problem, Waiting } from '../../office/contributions.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'
import type { AdminHome, WaitingList } from './admin-home-schema.ts'

interface ReadParts<T> {
  found: T[]
  /** How many could not be read. */
  unread: number
}

/** Each part is read by itself: one that fails is logged and counted, and the others are there. */
async function readParts<T>(
  app: SiteApp,
  what: keyof AdminHome['unread'],
  reads: readonly ((app: SiteApp) => Promise<T>)[],
): Promise<ReadParts<T>> {
  const results = await Promise.allSettled(reads.map(async (read) => read(app)))
  const found: T[] = []
  let unread = 0
  for (const result of results) {
    if (result.status === 'fulfilled') found.push(result.value)
    else {
      unread += 1
      app.log.error(
        { err: result.reason as unknown, part: what },
        "A part of the administration's home could not be read.",
      )
    }
  }
  return { found, unread }
}

type HomeParts = readonly AdminHomePart<SiteApp>[]

const ofFeatures = (): HomeParts => features.flatMap(({ adminHome }) => adminHome ?? [])

/** First steps, what waits, and what went wrong, of all features. */
export async function readAdminHome(app: SiteApp, viewer: Viewer, parts: HomeParts = ofFeatures()): Promise<AdminHome> {
  const steps = parts.flatMap(({ firstSteps = [] }) => firstSteps).toSorted((a, b) => a.order - b.order)
  const [firstSteps, waiting, problems] = await Promise.all([
    readParts<FirstStep>(
      app,
      'firstSteps',
      steps.map((step) => (given) => step.read(given)),
    ),
    readWaitingParts(app, viewer, parts),
    readParts<Problem[]>(
      app,
      'problems',
      parts.flatMap(({ problems = {} }) => Object.values(problems)),
    ),
  ])
  return {
    firstSteps: firstSteps.found.map(({ title, isDone, help, to = null }) => ({ title, isDone, help, to })),
    waiting: waiting.found,
    problems: problems.found
      .flat()
      .map(({ sentence, at, to = null }) => ({ sentence, at: at?.toISOString() ?? null, to })),
    unread: { firstSteps: firstSteps.unread, waiting: waiting.unread, problems: problems.unread },
  }
}

/** The waiting work alone: the navigation requests it on every page of the administration. */
export async function readWaiting(app: SiteApp, viewer: Viewer, parts: HomeParts = ofFeatures()): Promise<WaitingList> {
  return { waiting: (await readWaitingParts(app, viewer, parts)).found }
}

async function readWaitingParts(app: SiteApp, viewer: Viewer, parts: HomeParts): Promise<ReadParts<Waiting>> {
  const { found, unread } = await readParts<Waiting | undefined>(
    app,
    'waiting',
    parts.flatMap(({ waiting = [] }) => waiting.map((read) => (app: SiteApp) => read(app, viewer))),
  )
  return { found: found.filter((one) => one !== undefined), unread }
}
