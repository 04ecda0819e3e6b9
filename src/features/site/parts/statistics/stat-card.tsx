import { SaveTable } from './figures-table.tsx'
import './statistics-page.css'

interface Card {
  label: string
  figure: number | string
  help: string
}

/** Figures of now in one band, and as a file. */
export function StatCards({
  name,
  cards,
}: {
  /** Names the file. */
  name: string
  cards: readonly Card[]
}) {
  const rows = cards.map(({ label, figure, help }) => [label, figure, help])
  return (
    <div className="stat-band">
      <dl className="stat-cards">
        {cards.map(({ label, figure, help }) => (
          <div key={label} className="stat-card">
            <dt>{label}</dt>
            <dd className="stat-figure">{typeof figure === 'number' ? figure.toLocaleString('en-US') : figure}</dd>
            <dd className="work-aside">{help}</dd>
          </div>
        ))}
      </dl>
      <SaveTable table={{ name, heads: ['Figure', 'Value', 'Meaning'], rows }} />
    </div>
  )
}
