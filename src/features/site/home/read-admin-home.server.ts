import {
  type AdminHomePart,
  type HomeGroup,
  homeGroups,
  type HomeRow,
  type Problem,
} from '../../office/contributions.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'
import type { AdminHome, FirstStep, HomeRow as SentRow, WaitingList } from './admin-home-schema.ts'
import { readSkippedSteps } from './skip-step.server.ts'
import { readYesterday } from './yesterday.server.ts'

interface ReadParts<T> {
  found: T[]
  /** How many could not be read. */
  unread: number
}

/** Each part is read by itself: one that fails is logged and counted, and the others are there. */
async function readParts<T>(app: SiteApp, reads: readonly ((app: SiteApp) => Promise<T>)[]): Promise<ReadParts<T>> {
  const results = await Promise.allSettled(reads.map(async (read) => read(app)))
  const found: T[] = []
  let unread = 0
  for (const result of results) {
    if (result.status === 'fulfilled') found.push(result.value)
    else {
      unread += 1
      app.log.error({ err: result.reason as unknown }, "A part of the administration's home could not be read.")
    }
  }
  return { found, unread }
}

type HomeParts = readonly AdminHomePart<SiteApp>[]
type GroupedRow = Problem & { group: HomeGroup }

const homeParts = (): HomeParts => features.flatMap(({ adminHome }) => adminHome ?? [])

/** Waiting work and failures, yesterday in figures, and the first steps, of all features. */
export async function readAdminHome(app: SiteApp, viewer: Viewer, parts: HomeParts = homeParts()): Promise<AdminHome> {
  const [rows, figures, steps, standings] = await Promise.all([
    readRows(app, viewer, parts),
    readParts(app, [readYesterday]),
    readSteps(app, parts),
    readParts(
      app,
      // The site's own first.
      parts.toReversed().flatMap(({ standings = [] }) => standings),
    ),
  ])
  const all = rows.found.flat()
  const found = all.filter(({ alarm }) => alarm === undefined || !all.some(({ tells }) => tells === alarm))
  return {
    rows: found.toSorted(byUrgency).map(sentRow),
    things: found.reduce((sum, { things = 1 }) => sum + things, 0),
    figures: figures.found.flat(),
    firstSteps: steps.found,
    standings: standings.found,
    unread: rows.unread + figures.unread + steps.unread + standings.unread,
  }
}

function readRows(app: SiteApp, viewer: Viewer, parts: HomeParts): Promise<ReadParts<GroupedRow[]>> {
  return readParts<GroupedRow[]>(app, [
    ...parts.flatMap(({ waiting = [] }) =>
      waiting.map((read) => async (given: SiteApp) => {
        const found = await read(given, viewer)
        if (found === undefined) return []
        const { group } = found
        return ((await found.rows?.()) ?? [found]).map((row) => ({ ...row, group }))
      }),
    ),
    ...parts.flatMap(({ problems = {} }) =>
      Object.values(problems).map(
        (read) => async (given: SiteApp) =>
          (await read(given))
            .filter(({ isToldByWaiting = false }) => !isToldByWaiting)
            .map((problem) => ({ group: 'other' as const, ...problem })),
      ),
    ),
  ])
}

/** By their groups, and within one by the time left, a row for several last; others keep the order of their feature. */
function byUrgency(one: GroupedRow, other: GroupedRow): number {
  const groups = homeGroups.indexOf(one.group) - homeGroups.indexOf(other.group)
  if (groups !== 0) return groups
  const rests = Number(one.things !== undefined) - Number(other.things !== undefined)
  if (rests !== 0) return rests
  const [end, otherEnd] = [one, other].map(({ until }) => until?.getTime() ?? Number.MAX_SAFE_INTEGER) as [
    number,
    number,
  ]
  return end - otherEnd
}

function sentRow({ sentence, facts, line, until, isOverdue, since, verb, to }: HomeRow): SentRow {
  return {
    sentence,
    facts: facts ?? null,
    line: line ?? null,
    until: until?.toISOString() ?? null,
    isOverdue: isOverdue ?? false,
    since: since?.toISOString() ?? null,
    verb: verb ?? 'Open',
    to: to ?? null,
  }
}

async function readSteps(app: SiteApp, parts: HomeParts): Promise<ReadParts<FirstStep>> {
  const steps = parts.flatMap(({ firstSteps = [] }) => firstSteps).toSorted((a, b) => a.order - b.order)
  const notes = await readSkippedSteps(app)
  return readParts(
    app,
    steps.map(({ name, read }) => async (given: SiteApp) => {
      const { title, isDone, help, to = null } = await read(given)
      return { name, title, isDone, help, to, skippedFor: notes.get(name) ?? null }
    }),
  )
}

/** The counts of waiting work alone: the navigation requests them on every page of the administration. */
export async function readWaiting(app: SiteApp, viewer: Viewer, parts: HomeParts = homeParts()): Promise<WaitingList> {
  const { found } = await readParts(
    app,
    parts.flatMap(({ waiting = [] }) => waiting.map((read) => (given: SiteApp) => read(given, viewer))),
  )
  return {
    waiting: found.flatMap((one) =>
      one === undefined ? [] : [{ sentence: one.sentence, count: one.count, to: one.to }],
    ),
  }
}
