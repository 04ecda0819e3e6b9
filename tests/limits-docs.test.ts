import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { definedLimits } from '../src/platform/rate-limit/consume-all.ts'
import type { GrowingLimitRule, LimitRule, SiteLimitRule } from '../src/platform/rate-limit/rate-limits.ts'

/* docs/operating.md#limits is written by hand: here it is compared with the rules that the code declares. */

const root = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

type Rule = LimitRule & Partial<GrowingLimitRule> & Partial<SiteLimitRule>

/** Limits that refuse nobody: how often the server looks something up, and answers a refusal at once. */
const internal = new Set(['sign-in.unlock.look', 'sign-in.unlock.done', 'refusals.at-once'])

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const sources = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
// Loads every module of the server.
await import('../src/app/server.ts')
const rules: readonly Rule[] = definedLimits

function rateInWords({ points, seconds }: { points: number; seconds: number }): string {
  const count = points.toLocaleString('en-US')
  const per = new Map([
    [1, 'a second'],
    [minute, 'a minute'],
    [hour, 'an hour'],
    [day, 'a day'],
  ]).get(seconds)
  if (per !== undefined) return `${count} ${per}`
  if (seconds < minute && points % seconds === 0) return rateInWords({ points: points / seconds, seconds: 1 })
  const window = seconds % minute === 0 ? `${seconds / minute} minutes` : `${seconds} seconds`
  return points === 1 ? `one each ${window}` : `${count} in ${window}`
}

function inWords({ firstWaitSeconds, longestWaitSeconds, inLine, ...rule }: Rule): string {
  const rate = rateInWords(rule)
  if (inLine !== undefined) return `${rate}, then ${rateInWords(inLine)}`
  if (firstWaitSeconds === undefined || longestWaitSeconds === undefined) return rate
  const first = firstWaitSeconds / minute
  const waits = `${first}, ${2 * first}, ${4 * first}, … ${longestWaitSeconds / minute} minutes`
  return `${rate}, then one after each wait of ${waits}`
}

const table = /\n## Limits\n\n((?:\|.*\n)+)/.exec(read('docs/operating.md'))?.[1] ?? ''
const rows = table.split('\n').slice(2, -1)
const namesIn = (row: string): string[] => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

test('every rule of the source is a defined one', () => {
  expect(sources.join('\n')).not.toMatch(/: (?:Growing|Site)?LimitRule = {/)
  expect(rules.length).toBeGreaterThan(40)
})

test('the table of limits names each rule that the code declares once, and no other', () => {
  const declared = rules.map(({ name }) => name).filter((name) => !internal.has(name))
  expect(rows.flatMap(namesIn).toSorted()).toEqual(declared.toSorted())
})

test.each(rows)('the numbers are those of the rules: %s', (row) => {
  const named = namesIn(row)
  expect(named.length).toBeGreaterThan(0)
  for (const rule of rules.filter(({ name }) => named.includes(name))) expect(row, rule.name).toContain(inWords(rule))
})
