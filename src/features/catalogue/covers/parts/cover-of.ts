export interface ShownCover {
  src: string
  /** Addresses with their widths, where there are several. */
  srcSet?: string
  alt: string
  isDrawn: boolean
}

/** The cover of an item: the uploaded one, else the one that is drawn for it. */
export function coverOf({ slug, name, cover }: { slug: string; name: string; cover?: string | undefined }): ShownCover {
  const alt = `Cover of ${name}`
  return cover === undefined
    ? { src: `/covers/${slug}.svg`, alt, isDrawn: true }
    : { src: cover, srcSet: `${cover} 320w, ${widest(cover)} 640w`, alt, isDrawn: false }
}

/** The same picture, 640 pixels wide. */
export function widest(cover: string): string {
  return cover.replace('/320.', '/640.')
}
