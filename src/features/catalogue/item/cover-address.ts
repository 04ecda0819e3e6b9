/* The addresses of the pictures of items (docs/spec/publishing.md#covers). Browser-safe. */

/** The widths in which a picture is kept, in pixels. */
export const coverWidths = [160, 320, 640] as const
export type CoverWidth = (typeof coverWidths)[number]

export function coverAddress(hash: string, width: CoverWidth = 320): string {
  return `/covers/${hash}/${width}.webp`
}

const ownAddress = /^\/covers\/([0-9a-f]{32})\/(?:160|320|640)\.webp$/

/** The hash in the address of a picture, with or without the origin of a site; undefined for any other address. */
export function hashInCover(address: string): string | undefined {
  const path = address.startsWith('/') ? address : URL.parse(address)?.pathname
  return ownAddress.exec(path ?? '')?.[1]
}

export function isForeignCover(value: string): boolean {
  return /^https?:/i.test(value)
}
