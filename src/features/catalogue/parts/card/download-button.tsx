import type { ReactNode } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import './downloads.css'

export function DownloadButton({
  href,
  label,
  file,
  isFirst,
  children,
  onOpen,
}: {
  href: string
  label: string
  file: { format?: string | undefined; size?: number | undefined }
  /** Whether it is the one to try first: a view has one filled button. */
  isFirst: boolean
  children: ReactNode
  /** Called when it is opened, in this tab or another. */
  onOpen?: () => void
}) {
  return (
    <a
      className={isFirst ? 'download-go download-first' : 'download-go'}
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={onOpen}
      onAuxClick={({ button }) => {
        // The middle one opens a tab, the right one a menu.
        if (button === 1) onOpen?.()
      }}
    >
      <Icon name="download" size={24} />
      <span className="download-label">
        <span className="sr-only">Download from </span>
        {label}
      </span>
      <span className="download-way">
        {[file.format, file.size === undefined ? undefined : sizeInWords(file.size)]
          .filter((said) => said !== undefined)
          .map((said) => (
            <span key={said} className="download-file">{`${said} · `}</span>
          ))}
        {children}
      </span>
    </a>
  )
}
