import { lengthInWords } from '../../../../browser/time-left.ts'
import { upToThousand } from '../../../../platform/counted-to-thousand.ts'

/** The words of the home. */

const numbers = [
  'Nothing',
  'One thing',
  'Two things',
  'Three things',
  'Four things',
  'Five things',
  'Six things',
  'Seven things',
  'Eight things',
  'Nine things',
  'Ten things',
  'Eleven things',
  'Twelve things',
]

/** The one sentence of the day. 'Nothing' is said only where everything could be read. */
export function daySentence(things: number, unread: number): string {
  const needs = `${numbers[things] ?? `${upToThousand(things)} things`} ${things < 2 ? 'needs' : 'need'} you.`
  if (unread === 0) return needs
  const parts = unread === 1 ? 'One part of this page' : `${unread} parts of this page`
  return `${things === 0 ? '' : `${needs} `}${parts} could not be read. The log says why.`
}

const minuteMs = 60_000

/** 'just now', '2 h ago': of what waits and of what failed alike. */
export function sinceInWords(since: string, now: number): string {
  const passed = now - Date.parse(since)
  return passed >= minuteMs ? `${lengthInWords(passed)} ago` : 'just now'
}
