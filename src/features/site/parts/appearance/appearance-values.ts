import type { Appearance } from '../../appearance/appearance-schema.ts'
import { mostLinks } from '../../appearance/appearance.ts'
import { colouredShelves, shelfNames } from '../../appearance/palette.ts'

/** The fields of the form: as many links as there is room for. */
export function valuesOf({ links, ...appearance }: Appearance): Appearance {
  return {
    ...appearance,
    links: Array.from({ length: mostLinks }, (_, place) => links[place] ?? { label: '', to: '' }),
  }
}

/** The appearance as it is sent: without blanks around texts, and without links that nobody filled in. */
export function appearanceIn({ colours, links, banner, mark, hidesName }: Appearance): Appearance {
  const trimmed = <T extends Record<string, string>>(texts: T): T =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as T
  return {
    colours: trimmed(
      Object.fromEntries(
        colouredShelves.map((shelf) => [shelf, colours[shelf].toLowerCase()]),
      ) as Appearance['colours'],
    ),
    links: links.map((link) => trimmed(link)).filter(({ label, to }) => label !== '' || to !== ''),
    banner: trimmed(banner),
    mark,
    hidesName: mark !== '' && hidesName,
  }
}

/** The parts that two people have made different, in sentences about theirs. */
export function differencesOf(mine: Appearance, theirs: Appearance): string[] {
  const lines = ({ colours, links, banner, mark, hidesName }: Appearance): Record<string, string> => ({
    ...Object.fromEntries(colouredShelves.map((shelf) => [`Colour of ${shelfNames[shelf]}`, colours[shelf]])),
    'Header links': links.map(({ label, to }) => `${label} ${to}`).join(', '),
    Announcement: [banner.text, banner.to, banner.from, banner.until].filter((part) => part !== '').join(' · '),
    Mark: mark === '' ? 'the ribbon' : hidesName ? 'a picture, without the name' : 'a picture',
  })
  const own = lines(mine)
  return Object.entries(lines(theirs)).flatMap(([name, value]) =>
    own[name] === value ? [] : [`${name}: ${value === '' ? 'built-in' : value}`],
  )
}
