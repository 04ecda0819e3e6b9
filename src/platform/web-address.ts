/**
 * Whether a text is an http or https address without a name and password. The URL parser takes `https:example.org` and
 * `http:/example.org` as well: in a page's link they are of the site itself, or of another host, by the scheme of the page.
 */
export function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}
