/** A link as the header `Location` can hold it. A link of visible ASCII alone stays as it is. */
export function locationOf(link: string): string {
  return /^[\x21-\x7e]+$/.test(link) ? link : new URL(link).href
}
