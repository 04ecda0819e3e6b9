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

/** The one sentence of the day. 'Everything' is said only where everything could be read. */
export function daySentence(things: number, unread: number): string {
  const waits = `${numbers[things] ?? `${upToThousand(things)} things`} ${things < 2 ? 'waits' : 'wait'} for you.`
  if (unread > 0) {
    const parts = unread === 1 ? 'One part of this page' : `${unread} parts of this page`
    return `${things === 0 ? '' : `${waits} `}${parts} could not be read. The log says why.`
  }
  return things === 0 ? `${waits} Everything runs.` : `${waits} Everything else runs.`
}

const minuteMs = 60_000

/** 'just now', 'since 2 h' */
export function sinceInWords(since: string, now: number): string {
  const passed = now - Date.parse(since)
  return passed >= minuteMs ? `since ${lengthInWords(passed)}` : 'just now'
}
