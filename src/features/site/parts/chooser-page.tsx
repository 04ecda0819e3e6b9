import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { TextLink } from '../../../ui/button.tsx'
import { itemPath } from '../../catalogue/item/content-type.ts'
import { languageOf } from '../../catalogue/parts/list/language-of.ts'
import type { NewestOfShelf } from '../../catalogue/search/newest-of.server.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Pattern } from '../../../ui/pattern.tsx'
import { useIsOnline } from '../../../ui/use-is-online.ts'
import './chooser-page.css'

export interface ChooserCard {
  to: string
  /** The class that brings the card's accent into force. */
  accent: string
  pattern: 'waves' | 'tracery'
  name: string
  sentence: string
  newest?: NewestOfShelf | undefined
  onChosen?: (() => void) | undefined
}

/** A page on which one chooses between parts of the catalogue. */
export function ChooserPage({
  brand,
  title,
  cards,
  children,
}: {
  brand: string | undefined
  title: string
  cards: ChooserCard[]
  /** Shown under the cards and their hint. */
  children?: ReactNode
}) {
  const isOnline = useIsOnline()
  return (
    <>
      <div className="column chooser">
        <header>
          <p className="chooser-brand" dir="auto">
            {brand}
          </p>
          <h1>{title}</h1>
        </header>
        <ul>
          {cards.map(({ to, accent, pattern, name, sentence, newest, onChosen }) => (
            <li key={to} className={accent}>
              <Link className="chooser-door" to={to} prefetch={isOnline ? 'intent' : 'none'} onClick={onChosen}>
                <Pattern name={pattern} className="chooser-pattern" />
                <span className="chooser-name">
                  {name}
                  <Icon name="on" size={24} />
                </span>
                <span className="chooser-sentence">{sentence}</span>
              </Link>
              {newest === undefined || newest.entries.length === 0 ? null : (
                <Newest newest={newest} name={name} to={to} onChosen={onChosen} />
              )}
            </li>
          ))}
        </ul>
        <p className="chooser-hint">Select your preferred content category to continue</p>
      </div>
      {children}
    </>
  )
}

function Newest({
  newest: { entries, ofLastDays },
  name,
  to,
  onChosen,
}: Pick<ChooserCard, 'name' | 'to' | 'onChosen'> & { newest: NewestOfShelf }) {
  return (
    <div className="chooser-newest">
      <ul aria-label={`Newest in ${name}`}>
        {entries.map((entry) => (
          <li key={entry.slug}>
            <Link className="entry-link" to={itemPath(entry)}>
              <bdi lang={languageOf(entry.name)}>{entry.name}</bdi>
              {entry.creators === undefined ? null : <small>{entry.creators}</small>}
            </Link>
          </li>
        ))}
      </ul>
      {ofLastDays === 0 ? null : (
        <p>
          <TextLink to={`${to}?dateFilter=7days`} onClick={onChosen}>
            {`${ofLastDays.toLocaleString('en-US')} in the last 7 days`}
          </TextLink>
        </p>
      )}
    </div>
  )
}
