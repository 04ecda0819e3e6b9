import { Icon } from '../../../../ui/icon.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import type { Offer } from './downloads.tsx'
import './downloads.css'

/**
 * @param onOpen is called when it is opened, in this tab or another
 * @param isFirst whether it is the one to try first: a view has one filled button
 */
export function DownloadButton({ url, label, format, size, way, isFirst, onOpen }: Offer & { isFirst: boolean }) {
  return (
    <a
      className={isFirst ? 'download-go download-first' : 'download-go'}
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={onOpen}
      onAuxClick={({ button }) => {
        // The middle one opens a tab, the right one a menu.
        if (button === 1) onOpen()
      }}
    >
      <Icon name="download" size={24} />
      <span className="download-label">
        <span className="sr-only">Download from </span>
        {label}
      </span>
      <span className="download-way">
        {[format, size === undefined ? undefined : sizeInWords(size)]
          .filter((said) => said !== undefined)
          .map((said) => (
            <span key={said} className="download-file">{`${said} · `}</span>
          ))}
        {way}
      </span>
    </a>
  )
}
