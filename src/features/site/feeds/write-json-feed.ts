import type { Feed, FeedEntry } from './feed.ts'

export const jsonFeedType = 'application/feed+json; charset=utf-8'

/** A feed as JSON Feed 1.1. */
export function writeJsonFeed({ title, description, home, self, icon, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    description,
    icon,
    items: entries.map(itemOf),
  })
}

function itemOf({ url, title, creators, paragraphs, category, tags, language, image, ...at }: FeedEntry) {
  return {
    id: url,
    url,
    title,
    content_text: paragraphs.join('\n\n'),
    image: image?.url,
    date_published: at.postedAt,
    date_modified: at.changedAt,
    authors: creators.length === 0 ? undefined : creators.map((name) => ({ name })),
    tags: [category, ...tags],
    language,
  }
}
