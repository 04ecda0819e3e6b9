import { isPrivateHost } from '../../../platform/private-address.ts'

/** Which addresses an item's links may have (docs/spec/catalogue.md#link-rules). Browser-safe. */

export interface LinkFault {
  code: 'link.malformed' | 'link.too_long' | 'link.scheme' | 'link.credentials' | 'link.private'
  /** The fault, as the end of a sentence that begins with the link's field. */
  message: string
  remedy: string
}

const maxCharacters = 2_000

const malformed: LinkFault = {
  code: 'link.malformed',
  message: 'is not a web address',
  remedy: 'Give the whole address, like https://example.org/file, without spaces or line breaks.',
}

/** The fault of an address as a link of an item; null when there is none. */
export function findLinkFault(address: string): LinkFault | null {
  if (address.length > maxCharacters) {
    return {
      code: 'link.too_long',
      message: `is longer than ${maxCharacters.toLocaleString('en-US')} characters`,
      remedy: 'Give a shorter address of the same file.',
    }
  }
  // The URL parser silently drops line breaks and turns backslashes into slashes: what is kept would not be what is checked.
  const url = /[\s\p{Cc}\\]/u.test(address) || !address.isWellFormed() ? null : URL.parse(address)
  if (url === null) return malformed
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return {
      code: 'link.scheme',
      message: `begins with ${url.protocol.slice(0, 40)}`,
      remedy: 'Only http and https addresses are allowed.',
    }
  }
  // The URL parser reads `http:example.org` as well; the database and other programs do not.
  if (!/^https?:\/\//i.test(address)) return malformed
  if (url.username !== '' || url.password !== '') {
    return {
      code: 'link.credentials',
      message: 'holds a user name or a password',
      remedy: 'Give the address without the part before the @.',
    }
  }
  if (isPrivateHost(url.hostname)) {
    return {
      code: 'link.private',
      message: 'leads to a private, local or reserved network address',
      remedy: 'Give an address that visitors can reach on the public internet.',
    }
  }
  return null
}
