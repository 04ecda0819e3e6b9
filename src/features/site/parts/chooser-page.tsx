import type { ReactNode } from 'react'
import { Link } from 'react-router'
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
  onChosen?: () => void
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
          {cards.map(({ to, accent, pattern, name, sentence, onChosen }) => (
            <li key={to} className={accent}>
              <Link to={to} prefetch={isOnline ? 'intent' : 'none'} onClick={onChosen}>
                <Pattern name={pattern} className="chooser-pattern" />
                <span className="chooser-name">
                  {name}
                  <Icon name="on" size={24} />
                </span>
                <span className="chooser-sentence">{sentence}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p className="chooser-hint">Select your preferred content category to continue</p>
      </div>
      {children}
    </>
  )
}
