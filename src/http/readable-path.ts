/**
 * The path that a page is rendered under, on the server and in the browser. A path that is no UTF-8 is nobody's: no
 * router can read it, and each guesses on its own what it stands for. So it becomes one part, spelt out, which only the page
 * for what is not there answers, whatever stands before it.
 */
export function readablePath(pathname: string): string {
  return isReadable(pathname) ? pathname : `/${encodeURIComponent(pathname.slice(1))}`
}

export function isReadable(text: string): boolean {
  return decode(text) !== undefined
}

function decode(text: string): string | undefined {
  try {
    // Given back, although nobody wants it: a call whose result is not used is left out when the browser's files are built.
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
