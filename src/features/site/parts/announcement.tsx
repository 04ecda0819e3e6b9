import { remember } from '../../../browser/remembered.ts'
import { useEffect, useState } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Look } from '../appearance/look.ts'
import { announcementKey } from './announcement-closed.ts'
import './announcement.css'

/** The announcement of the operator. It stays closed on this device until there is another one. */
export default function Announcement({ id, text, to }: NonNullable<Look['announcement']>) {
  const [isClosed, setIsClosed] = useState(false)
  useEffect(() => {
    if (document.body.dataset['closed'] === id) setIsClosed(true)
  }, [id])
  if (isClosed) return null
  return (
    <aside className="announcement" aria-label="Announcement">
      <div className="column">
        <AnnouncementText text={text} to={to} />
        <button
          type="button"
          className="button button-icon with-script"
          aria-label="Close the announcement"
          onClick={() => {
            setIsClosed(true)
            document.body.dataset['closed'] = id
            remember(announcementKey, id)
          }}
        >
          <Icon name="close" size={16} />
        </button>
      </div>
    </aside>
  )
}

/** @param to where it leads; empty: nowhere */
function AnnouncementText({ text, to }: { text: string; to: string }) {
  if (to === '') return <p dir="auto">{text}</p>
  return (
    <p dir="auto">
      {to.startsWith('/') ? (
        <TextLink to={to}>{text}</TextLink>
      ) : (
        <a className="text-link" href={to} target="_blank" rel="noopener noreferrer">
          {text}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
    </p>
  )
}
