/** A feed, as both formats write it. Addresses are absolute. */
export interface Feed {
  title: string
  description: string
  home: string
  /** Its own address; undefined for a private one, which is nobody's business but its reader's. */
  self: string | undefined
  icon: string
  /** The newest first. */
  entries: readonly FeedEntry[]
}

export interface FeedEntry {
  /** The address of its page, which names it for good. */
  url: string
  title: string
  creators: readonly string[]
  /** Paragraphs of plain text. */
  paragraphs: readonly string[]
  category: string
  tags: readonly string[]
  language: string | undefined
  image: { url: string; mediaType: string } | undefined
  /** ISO 8601. */
  postedAt: string
  changedAt: string
}
