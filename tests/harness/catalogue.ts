import type { App } from '../../src/app/app.ts'
import { type ItemOverrides, someItems } from './items.ts'

const categories = ['Literature', 'Film', 'Music', 'Art']

/** How many western items the catalogue of the journeys has: two full pages and a rest. */
export const westernCount = 640

/** The catalogue of the journeys, as of noon of 15 March 2024: something for every filter, and long enough to be paged. */
export async function aFullCatalogue(app: App): Promise<void> {
  const western = Array.from({ length: westernCount }, (_, i): ItemOverrides => ({
    name: `Western work ${String(i + 1).padStart(3, '0')}`,
    contentType: 'western',
    category: categories[i % categories.length] as string,
    // From 15 March backwards, four a day.
    postDate: new Date(
      Date.parse('2024-03-15T11:00:00Z') - Math.floor(i / 4) * 86_400_000 - (i % 4) * 60_000,
    ).toISOString(),
  }))
  await someItems(app, [
    ...western,
    {
      name: '紅樓夢',
      contentType: 'asian',
      category: 'Literature',
      postDate: '2024-03-15T10:00:00Z',
      slug: 'hong-lou-meng',
    },
    { name: '源氏物語', contentType: 'asian', category: 'Literature', postDate: '2024-03-14T10:00:00Z' },
    { name: 'Ugetsu', contentType: 'asian', category: 'Film', postDate: '2024-03-14T09:00:00Z' },
    { name: 'ألف ليلة وليلة', contentType: 'asian', category: 'Literature', postDate: '2023-12-01T10:00:00Z' },
    { name: 'Asian and banned', contentType: 'asian', category: 'Banned', postDate: '2023-11-01T10:00:00Z' },
    {
      name: 'Lady Chatterley',
      contentType: 'banned',
      region: 'western',
      category: 'Banned',
      postDate: '2024-03-10T10:00:00Z',
    },
    {
      name: 'Areopagitica',
      contentType: 'banned',
      region: 'western',
      category: 'Banned',
      postDate: '2022-05-10T10:00:00Z',
    },
    {
      name: 'Voynich manuscript',
      contentType: 'unknown',
      region: 'western',
      category: 'Unknown',
      postDate: '2024-03-09T10:00:00Z',
    },
    {
      name: 'Secret gala',
      slug: 'secret-gala',
      contentType: 'vip-western',
      category: 'VIP Content',
      postDate: '2024-03-15T10:30:00Z',
      linkMV1: 'https://mega.nz/file/gala-again',
    },
    {
      name: 'A work with everything: a name so long that it has to be broken over several lines on a narrow screen',
      slug: 'everything',
      contentType: 'western',
      category: 'Art',
      postDate: '2024-03-15T11:30:00Z',
      rating: 'mature',
      linkG: 'https://gofile.io/d/everything',
      linkP: 'https://pixeldrain.com/u/everything',
      rightsBasis: 'open_license',
      rightsHolder: 'The people of the library',
      licence: 'CC-BY-4.0',
    },
  ])
}
