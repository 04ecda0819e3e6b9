import * as z from 'zod/mini'

/**
 * A text that must be written, sent without the space around it.
 * @param ifEmpty the sentence where nothing is written
 * @param ifLonger the sentence where it has more characters than `max`
 */
export function writtenText(ifEmpty: string, max = Infinity, ifLonger = tooLong(max)) {
  return z.string().check(
    z.trim(),
    z.minLength(1, ifEmpty),
    z.refine((text) => [...text].length <= max, ifLonger),
  )
}

function tooLong(max: number): string {
  return `Shorten this to ${max.toLocaleString('en-US')} characters or fewer.`
}
