import type { Effort, Finding } from './findings.ts'
import { preparePostgres, sizes } from './generate-catalogue.ts'
import { measureAdministration, measureEmbeddedAdministration } from './measure-administration.ts'
import { measureAnswers } from './measure-answers.ts'
import { measureBackup } from './measure-backup.ts'
import { measureContentScroll } from './measure-content-scroll.ts'
import { measureDepth, measureKinds } from './measure-depth.ts'
import { measureDocuments } from './measure-documents.ts'
import { measureEmbedded, measureImport, measureRest } from './measure-embedded.ts'
import { measureFinding } from './measure-finding.ts'
import { measureFloods } from './measure-floods.ts'
import { measureInbox } from './measure-inbox.ts'
import { measureNotices } from './measure-notices.ts'
import { measureBrowser, measureLongDay, measurePages } from './measure-pages.ts'
import { measureRuns } from './measure-runs.ts'
import { measureSignIns } from './measure-sign-ins.ts'
import { measureTenMillion } from './measure-ten-million.ts'
import { measureVipLists } from './measure-vip-lists.ts'
import { measureWorkers } from './measure-workers.ts'
import { measureWorst } from './measure-worst.ts'
import { measureWrites } from './measure-writes.ts'

export interface Measured {
  findings: Finding[]
  /** Every call or question of the part in a line of Markdown, for a section of its own. */
  table?: string
}

/** The measurements of one run. */
export interface Part {
  /** Its results are kept under this name. */
  name: string
  /** The goals that it decides (docs/spec/performance.md). */
  ids: string[]
  measure: () => Promise<Measured>
  /** Whether it runs only when its goal is asked for by name: the whole run would take an hour longer. */
  isOnDemand?: boolean
}

const found = async (findings: Promise<Finding[]>): Promise<Measured> => ({ findings: await findings })

/** @param isQuick at most 100,000 items, and short rounds: a look, not a measurement */
export function partsOf(isQuick: boolean): Part[] {
  // wrk counts in whole seconds.
  const effort: Effort = isQuick ? { seconds: 1, rounds: 3 } : { seconds: 2, rounds: 5 }
  const large = isQuick ? '100k' : '1m'
  return [
    {
      name: 'answers',
      ids: ['P1', 'P2', 'P3', 'P4', 'P5', 'P10'],
      measure: async () => found(measureAnswers(await preparePostgres('100k'), effort)),
    },
    {
      name: 'kinds',
      ids: ['P6'],
      measure: async () => measureKinds(await preparePostgres(large), sizes[large], isQuick ? 6 : 16),
    },
    {
      name: 'finding',
      ids: ['P24'],
      measure: async () => measureFinding(await preparePostgres(large), sizes[large], isQuick ? 12 : 40),
    },
    {
      name: 'depth',
      ids: ['P7', 'P10'],
      measure: async () =>
        found(measureDepth(await preparePostgres('10k'), await preparePostgres(large), sizes[large], effort)),
    },
    {
      name: 'pages',
      ids: ['P8'],
      measure: async () => found(measurePages(await preparePostgres('100k'), effort)),
    },
    { name: 'embedded', ids: ['P9', 'P25'], measure: () => found(measureEmbedded(isQuick ? 20_000 : 100_000)) },
    { name: 'import', ids: ['P10', 'P25'], measure: () => found(measureImport(isQuick ? 20_000 : 100_000)) },
    { name: 'rest', ids: ['P23'], measure: () => found(measureRest(isQuick ? 30 : 300)) },
    {
      name: 'sign-ins',
      ids: ['P11'],
      async measure() {
        await preparePostgres('100k')
        return found(measureSignIns(isQuick ? 2 : 4, isQuick ? 2 : 3))
      },
    },
    {
      name: 'browser',
      ids: ['P12'],
      measure: async () => found(measureBrowser(await preparePostgres('100k'))),
    },
    {
      name: 'long-day',
      ids: ['P12'],
      async measure() {
        await preparePostgres('100k')
        return found(measureLongDay())
      },
    },
    {
      name: 'writes',
      ids: ['P13'],
      async measure() {
        await preparePostgres('100k')
        return found(measureWrites({ seconds: isQuick ? 3 : 6, rounds: isQuick ? 1 : 3 }))
      },
    },
    {
      name: 'vip-lists',
      ids: ['P16'],
      async measure() {
        await preparePostgres('100k')
        return found(measureVipLists(effort))
      },
    },
    {
      name: 'content-scroll',
      ids: ['P16'],
      async measure() {
        await preparePostgres('100k')
        return found(measureContentScroll())
      },
    },
    {
      name: 'administration',
      ids: ['P16', 'P17', 'P18'],
      async measure() {
        await preparePostgres('100k')
        return measureAdministration(isQuick ? 20 : 60)
      },
    },
    {
      name: 'embedded-administration',
      ids: ['P18'],
      measure: () => measureEmbeddedAdministration(isQuick ? 10 : 20),
    },
    {
      name: 'runs',
      ids: ['P19'],
      async measure() {
        await preparePostgres('100k')
        return found(measureRuns(isQuick ? 7_660 : 100_000))
      },
    },
    {
      name: 'inbox',
      ids: ['P20'],
      async measure() {
        await preparePostgres('10k')
        return measureInbox(isQuick ? 20 : 60)
      },
    },
    {
      name: 'floods',
      ids: ['P21'],
      async measure() {
        await preparePostgres('100k')
        return found(measureFloods(isQuick ? 4 : 15))
      },
    },
    {
      name: 'notices',
      ids: ['P22'],
      async measure() {
        const size = isQuick ? '10k' : '100k'
        await preparePostgres(size)
        return measureNotices({ size, notices: sizes[size] }, isQuick ? 20 : 60)
      },
    },
    {
      name: 'worst',
      ids: ['P26'],
      async measure() {
        await preparePostgres('10k')
        return found(measureWorst(isQuick ? 5 : 15))
      },
    },
    {
      name: 'backup',
      ids: ['P27'],
      async measure() {
        await preparePostgres('100k')
        return found(measureBackup(isQuick ? 10_000 : 100_000, isQuick ? 1 : 3))
      },
    },
    {
      name: 'documents',
      ids: ['P28'],
      measure: async () =>
        measureDocuments(
          await preparePostgres('100k'),
          { address: await preparePostgres(large), items: sizes[large] },
          effort,
        ),
    },
    {
      name: 'ten-million',
      ids: ['P15'],
      isOnDemand: true,
      measure: () => found(measureTenMillion(isQuick ? '1m' : '10m')),
    },
    {
      name: 'workers',
      ids: ['P14'],
      measure: async () => found(measureWorkers(await preparePostgres('100k'), effort)),
    },
  ]
}
