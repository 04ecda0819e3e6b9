/* The addresses at which the router's browser half asks its server half for the data of a page: the page's, with an ending. */

const ending = /((?<=\/)_)?\.data$/

/** The router's own parameter: which parts of the page the browser lacks. */
export const partsParameter = '_routes'

/** The path of the page whose data this path gives; undefined if it is no such path. */
export function pagePathOf(pathname: string): string | undefined {
  const found = ending.exec(pathname)
  return found === null ? undefined : pathname.slice(0, found.index)
}

/** The address of the page whose data this address gives, without its origin. */
export function pageAddressOf({ pathname, search }: URL): string {
  const query = new URLSearchParams(search)
  query.delete(partsParameter)
  return (pagePathOf(pathname) ?? pathname) + (query.size === 0 ? '' : `?${query}`)
}
