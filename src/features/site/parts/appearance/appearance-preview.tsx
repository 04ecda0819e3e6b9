import { useLayoutEffect, useRef } from 'react'
import { RibbonMark } from '../../../../ui/ribbon-mark.tsx'
import type { Appearance } from '../../appearance/appearance-schema.ts'
import { markAddress } from '../../appearance/look.ts'
import { colouredShelves, inCss, neutrals, shelfNames, type Theme, themes, tokensOf } from '../../appearance/palette.ts'

/** The head of the site and the colours of its shelves, as the form would make them, in both themes. */
export function AppearancePreview({ name, appearance }: { name: string; appearance: Appearance }) {
  return (
    <div className="look-previews">
      {themes.map((theme) => (
        <ThemePreview key={theme} theme={theme} name={name} appearance={appearance} />
      ))}
    </div>
  )
}

function ThemePreview({ theme, name, appearance }: { theme: Theme; name: string; appearance: Appearance }) {
  const { colours, links, banner, mark, hidesName } = appearance
  const box = useRef<HTMLDivElement>(null)
  const chosen = JSON.stringify(colours)
  useLayoutEffect(() => {
    // The page's policy allows no styles in its markup.
    const style = box.current?.style
    if (style === undefined) return
    for (const [part, colour] of Object.entries(neutrals[theme])) style.setProperty(`--color-${part}`, inCss(colour))
    const typed = JSON.parse(chosen) as Appearance['colours']
    for (const shelf of colouredShelves) {
      const hex = /^#[0-9a-f]{6}$/i.test(typed[shelf].trim()) ? typed[shelf].trim() : houseColours[shelf]
      for (const [name, value] of tokensOf(shelf, hex, theme)) style.setProperty(name, value)
    }
  }, [theme, chosen])
  return (
    <div ref={box} className="look-preview accent-neutral" role="img" aria-label={`Preview in the ${theme} theme`}>
      {banner.text.trim() === '' ? null : (
        <p className="look-banner" dir="auto">
          {banner.text}
        </p>
      )}
      <div className="look-head">
        {mark === '' ? (
          <RibbonMark className="look-ribbon" />
        ) : (
          <img className="brand-mark" src={markAddress(mark)} alt="" />
        )}
        {mark !== '' && hidesName ? null : <b dir="auto">{name}</b>}
        <span className="look-links">
          {[
            'Banned',
            'Unknown',
            'Plans',
            ...links.map(({ label }) => label.trim()).filter((label) => label !== ''),
          ].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </span>
      </div>
      <ul className="look-shelves">
        {colouredShelves.map((shelf) => (
          <li key={shelf} className={`accent-${shelf}`}>
            <i />
            <span>{shelfNames[shelf]}</span>
            <em>{shelf === 'vip' ? 'VIP ACCESS' : 'NEW'}</em>
          </li>
        ))}
      </ul>
      <figcaption>{theme === 'light' ? 'Light' : 'Dark'}</figcaption>
    </div>
  )
}

/** The colours of the house as an input of colours takes them; the style sheet has them more exactly. */
export const houseColours = { asian: '#7a3fb0', western: '#a5541b', unknown: '#566579', vip: '#b0820d' } as const
