import { median, type LoadResult } from './load.ts'

/** One line of the report. */
export interface Finding {
  id: string
  what: string
  goal: string
  measured: string
  /** Undefined: only told, no goal of its own. */
  isMet: boolean | undefined
}

/** How long and how often each contender runs. */
export interface Effort {
  seconds: number
  rounds: number
}

/** The median round of a contender. */
export function middle(results: LoadResult[]): LoadResult {
  const failures = results.reduce((sum, result) => sum + result.failures, 0)
  if (failures > 0) throw new Error(`${failures} answers failed.`)
  return {
    answers: median(results.map((result) => result.answers)),
    perSecond: median(results.map((result) => result.perSecond)),
    p50: median(results.map((result) => result.p50)),
    p99: median(results.map((result) => result.p99)),
    failures,
  }
}

export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)} times`
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
