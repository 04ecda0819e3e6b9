import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maxDecisionText, maxDecidedAtOnce } from './desk/desk-schema.ts'
import { whatHappens } from './intake/what-happens.ts'
import { definedLimits } from '../../platform/rate-limit/consume-all.ts'
import { maxAddresses, maxLengths } from './intake/typed-notice.ts'
import {
  appealDays,
  appealLength,
  clocksOfKind,
  consentHiddenWithinHours,
  forwardLength,
  type Length,
  restoreAtTheLatest,
  restoreLength,
} from './notice/clocks.ts'
import { mostOf } from './notice/hidden-at-once.server.ts'
import { type ClockName, noticeKinds } from './notice/notice-kinds.ts'
import { maxOpenCounterNotices } from './notice/transition.ts'

/* Deadlines and limits are written down for people in many places: here each is compared with the constant that holds. */

const root = resolve(import.meta.dirname, '../../..')
const spec = readFileSync(join(root, 'docs/spec/notices.md'), 'utf8')
const plainSpec = spec.replaceAll(/\s+/g, ' ')

/** The sources of the notices, without tests. */
const sources = readdirSync(import.meta.dirname, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
  .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }))

/** As the specification writes it: '4 h', '3 days', '1 business day'. */
function inWords(length: Length): string {
  if ('hours' in length) return `${length.hours} h`
  if ('days' in length) return `${length.days} ${length.days === 1 ? 'day' : 'days'}`
  return `${length.businessDays} business ${length.businessDays === 1 ? 'day' : 'days'}`
}

const rowsOfKinds = {
  'Child at risk': clocksOfKind['child-safety'],
  'Intimate image': clocksOfKind['intimate-image'],
  'Depicted person withdraws consent': clocksOfKind.consent,
  Copyright: clocksOfKind.copyright,
  'Copyright counter-notice': { forward: forwardLength, restore: restoreLength },
  'Personal data': clocksOfKind.privacy,
  'Other illegal': clocksOfKind.other,
  'An appeal': { appeal: appealLength },
} as const satisfies Record<string, Partial<Record<ClockName, Length>>>

test('the table of deadlines has every clock, each with the time that the code gives it', () => {
  const section = spec.slice(spec.indexOf('## Deadlines'))
  const table = section.split('\n').filter((line) => line.startsWith('|'))
  let kind = ''
  const told = table.flatMap((line) => {
    const [, named = '', , clock = '', deadline = ''] = line.split('|').map((cell) => cell.trim())
    if (named !== '') kind = named
    const name = /^`(\w+)`$/.exec(clock)?.[1]
    return name === undefined ? [] : [{ kind, name, deadline }]
  })
  const expected = Object.entries(rowsOfKinds).flatMap(([of, clocks]) =>
    Object.entries(clocks).map(([name, length]: [string, Length]) => ({ kind: of, name, words: inWords(length) })),
  )
  expect(told.map(({ kind: of, name }) => `${of} ${name}`).toSorted()).toEqual(
    expected.map(({ kind: of, name }) => `${of} ${name}`).toSorted(),
  )
  for (const { kind: of, name, words } of expected) {
    const row = told.find((one) => one.kind === of && one.name === name)
    // That of a counter-notice has a rule of its own, which the row leads to.
    expect(row?.deadline, `${of} ${name}`).toContain(name === 'restore' ? '#restore-time' : words)
  }
  const ofCounterNotices = plainSpec.slice(
    plainSpec.indexOf('id="restore-time"'),
    plainSpec.indexOf('id="court-action"'),
  )
  const times = timesIn(ofCounterNotices)
  for (const { words, number, unit } of times) expect(isKnown(number, unit), words).toBe(true)
  expect(times.map(({ number }) => number)).toEqual(expect.arrayContaining([10, 14]))
})

await import('./intake/notice-limits.server.ts')

describe('the specification names', () => {
  const points = (name: string): number => definedLimits.find((rule) => rule.name === name)?.points ?? 0
  const count = (value: number): string => value.toLocaleString('en-US')
  test.each([
    ['addresses of a notice', `at most ${maxAddresses} [addresses]`],
    ['addresses with those of duplicates', `at most ${10 * maxAddresses} addresses`],
    ['the longest texts', `explanation and workDescription ${count(maxLengths.explanation)} characters`],
    ['the longest address', `address ${count(maxLengths.address)}`],
    ['the longest law', `lawCited ${maxLengths.lawCited}`],
    ['the longest name', `name, organization and signature ${maxLengths.name}`],
    ['the longest telephone number', `phone ${maxLengths.phone}`],
    ['the longest email address', `email ${maxLengths.email}`],
    ['the longest address of an entry', `an item's address ${count(maxLengths.itemUrls)}`],
    ['notices of an address', `${points('notice.block')} notices an hour for an address`],
    ['writes on private pages', `${points('notice.follow-up')} of them an hour for an address`],
    ['counter-notices of an address', `${points('notice.counter')} an hour for an address`],
    ['counter-notices that wait', `most ${maxOpenCounterNotices}`],
    ['days in which a decision is appealed', `within ${appealDays} days`],
    ['notices that are decided at once', `notices (1 to ${maxDecidedAtOnce}:`],
    ['the longest reasons', `(${count(maxDecisionText)})`],
    ['what all hide', `at least ${mostOf(0)} and at most ${mostOf(Infinity)}`],
  ])('%s', (_what, words) => {
    expect(plainSpec).toContain(words)
  })
})

/** Numbers that sentences write as words. */
const numbers: Record<string, number> = { one: 1, two: 2, five: 5, ten: 10, fourteen: 14, twenty: 20 }

/** How long the network of a sender is kept, wherever that is declared. */
const networkDays = Number(/networkDays = (\d+)/.exec(sources.map(({ text }) => text).join('\n'))?.[1])

const lengths: Length[] = [
  ...noticeKinds.flatMap((kind) => Object.values(clocksOfKind[kind])),
  appealLength,
  forwardLength,
  restoreLength,
  restoreAtTheLatest,
  { hours: consentHiddenWithinHours },
  { days: appealDays },
  { days: networkDays },
]
const isKnown = (number: number, unit: string): boolean =>
  lengths.some((length) =>
    'hours' in length
      ? unit === 'hour' && length.hours === number
      : 'days' in length
        ? unit === 'day' && length.days === number
        : unit === 'business day' && length.businessDays === number,
  )

/** The times that a text names: each number with its unit. */
function timesIn(text: string): { words: string; number: number; unit: string }[] {
  return [
    ...text.matchAll(
      /\b(\d+|one|two|five|ten|fourteen|twenty)(?: (?:and|to) (\d+|fourteen))? (business day|day|hour)s?\b/gi,
    ),
  ].flatMap(([words, first = '', second, unit = '']) =>
    [first, second].flatMap((each) =>
      each === undefined
        ? []
        : [{ words, number: numbers[each.toLowerCase()] ?? Number(each), unit: unit.toLowerCase() }],
    ),
  )
}

test('what senders are told names no time but those of the clocks', () => {
  for (const kind of noticeKinds)
    for (const isComplete of [true, false]) {
      const times = timesIn(whatHappens(kind, isComplete))
      expect(times.length, kind).toBeGreaterThan(0)
      for (const { words, number, unit } of times) expect(isKnown(number, unit), `${kind}: ${words}`).toBe(true)
    }
})

test('no sentence on a page or in an email names a deadline that no clock has', () => {
  const unknown = sources
    .filter(({ name }) => name.endsWith('.tsx') || /email|forms|words/.test(name))
    .flatMap(({ name, text }) =>
      // Comments are for engineers.
      timesIn(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
        .filter(({ number, unit }) => !isKnown(number, unit))
        .map(({ words }) => `${name}: ${words}`),
    )
  expect(unknown).toEqual([])
})
