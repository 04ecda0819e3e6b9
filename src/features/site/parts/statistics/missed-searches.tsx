import { useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import type { StatisticsReport } from '../../statistics/statistics-schema.ts'
import { AliasDialog } from './alias-dialog.tsx'
import { FiguresTable } from './figures-table.tsx'
import { nothingSince } from './report-chart.tsx'

export function MissedSearches({ report }: { report: StatisticsReport }) {
  const { free, vip } = report.searches
  const [naming, setNaming] = useState<string>()
  const part = { empty: nothingSince(report), onName: setNaming }
  return (
    <WorkSection title="Searches without a result">
      <p className="work-aside">
        Texts that found nothing, even while still being typed. Searches with a filter are not counted. Each visitor
        counts once an hour per text. Kept for 400 days, without names.
      </p>
      <div className="stat-pair">
        <Missed title="Free" name="Free searches without a result" missed={free} {...part} />
        <Missed title="VIP" name="VIP searches without a result" missed={vip} {...part} />
      </div>
      {naming === undefined ? null : <AliasDialog text={naming} onClose={() => setNaming(undefined)} />}
    </WorkSection>
  )
}

function Missed({
  title,
  name,
  missed: { texts, others },
  empty,
  onName,
}: {
  title: string
  name: string
  missed: StatisticsReport['searches']['free']
  empty: string
  onName: (text: string) => void
}) {
  if (texts.length === 0 && others === 0)
    return (
      <div className="stat-table">
        <h3>{title}</h3>
        <p className="stat-empty">{empty}</p>
      </div>
    )
  const rows = texts.map(({ text, searches }) => [text, searches] as const)
  return (
    <FiguresTable
      title={title}
      table={{ name, heads: ['Text', 'Searches'], rows: others === 0 ? rows : [...rows, ['All others', others]] }}
      acts={texts.map(({ text }) => (
        <MissedActs key={text} text={text} onName={onName} />
      ))}
    />
  )
}

function MissedActs({ text, onName }: { text: string; onName: (text: string) => void }) {
  return (
    <span className="stat-acts">
      <TextLink
        aria-label={`Add an entry: ${text}`}
        to={`/admin/settings?${new URLSearchParams({ edit: 'new', name: text }).toString()}`}
      >
        Add
      </TextLink>
      <Button
        look="link"
        label="Also known as"
        aria-haspopup="dialog"
        aria-label={`Also known as: ${text}`}
        onClick={() => onName(text)}
      />
    </span>
  )
}
