import { BlocksOfText } from './blocks-of-text.tsx'
import { blocksIn, linesIn } from '../text-blocks.ts'
import type { SiteTextForAdmin } from '../texts-schema.ts'

export function TextPreview({ kind, value }: { kind: SiteTextForAdmin['kind']; value: string }) {
  if (value.trim() === '') return <p>Nothing is shown.</p>
  switch (kind) {
    case 'document':
      return <BlocksOfText blocks={blocksIn(value)} />
    case 'list':
      return (
        <ul>
          {[...new Set(linesIn(value))].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )
    case 'line':
    case 'email':
    case 'address':
    case 'date':
      return <p dir="auto">{value}</p>
  }
}
