import { kindLabels, type NoticeKind } from '../notice/notice-kinds.ts'
import {
  type Count,
  type CountName,
  type Figures,
  fewerThanFive,
  type TransparencyReport,
} from '../transparency/figures-schema.ts'
import { FiguresLine, FiguresTable, countInWords, hoursInWords, percentInWords } from './figures-table.tsx'

/** The results of all notices, in one table a subject. */
export function NoticeFigures({ report }: { report: TransparencyReport }) {
  const lines = linesOf(report)
  const counts =
    (...names: CountName[]) =>
    ({ figures, isCoarse }: Line): string[] =>
      names.map((name) => countInWords(figures[name], isCoarse))
  return (
    <>
      <FiguresTable
        caption="Notices by kind"
        heads={['Kind', 'Received', 'Incomplete', 'Open', 'Overdue', 'Decided', 'Withdrawn', 'Duplicates']}
      >
        <Lines
          lines={lines}
          cells={counts('received', 'incomplete', 'open', 'overdue', 'decided', 'withdrawn', 'duplicates')}
        />
      </FiguresTable>
      <FiguresTable
        caption="Time from receipt to decision"
        heads={['Kind', 'Half within', '9 in 10 within', 'Decided in time']}
      >
        <Lines lines={lines} cells={times} />
      </FiguresTable>
      <FiguresTable
        caption="Decisions"
        heads={['Kind', 'Removed', 'Restricted', 'Kept', 'By the site itself', 'Reversed']}
      >
        <Lines lines={lines} cells={counts('removed', 'restricted', 'kept', 'decidedBySite', 'reversals')} />
      </FiguresTable>
      <FiguresTable caption="Appeals" heads={['Kind', 'Filed', 'Granted', 'Refused']}>
        <Lines lines={lines} cells={counts('appeals', 'appealsGranted', 'appealsRefused')} />
      </FiguresTable>
      <FiguresTable caption="Counter-notices" heads={['Kind', 'Received', 'Put back', 'Stopped by a court action']}>
        <Lines
          lines={lines.filter(
            ({ kind, figures }) => kind === 'copyright' || (kind !== null && isAny(figures.counterNotices)),
          )}
          cells={counts('counterNotices', 'counterNoticesRestored', 'counterNoticesStopped')}
        />
      </FiguresTable>
    </>
  )
}

/** The same by the year of the receipt, the last one first. */
export function FiguresByYear({ report }: { report: TransparencyReport }) {
  return report.together.years.map(({ year }) => (
    <FiguresTable
      key={year}
      caption={`Received in ${year}`}
      heads={['Kind', 'Received', 'Open', 'Decided', 'Removed', 'Half decided within', 'In time']}
    >
      <Lines
        lines={linesOf(report, year)}
        cells={({ figures, isCoarse }) => [
          ...(['received', 'open', 'decided', 'removed'] as const).map((name) => countInWords(figures[name], isCoarse)),
          hoursInWords(figures.medianHours),
          percentInWords(figures.inTimePercent),
        ]}
      />
    </FiguresTable>
  ))
}

export function hasNotices({ kinds, together }: TransparencyReport): boolean {
  return isAny(together.all.received) || kinds.some(({ all }) => isAny(all.received))
}

interface Line {
  /** Null: the sum. */
  kind: NoticeKind | null
  name: string
  figures: Figures
  isCoarse: boolean
}

/** Each kind, the gravest first, and at the end the published sum. */
function linesOf({ kinds, together }: TransparencyReport, year?: number): Line[] {
  const of = ({ all, years }: typeof together): Figures =>
    year === undefined ? all : (years.find((one) => one.year === year)?.figures ?? all)
  const lines = kinds.map(({ kind, isCoarse, ...series }) => ({
    kind,
    name: kindLabels[kind],
    isCoarse,
    figures: of(series),
  }))
  return [...lines, { kind: null, name: 'All but the first two', isCoarse: false, figures: of(together) }]
}

function Lines({ lines, cells }: { lines: Line[]; cells: (line: Line) => (string | null)[] }) {
  return lines.map((line) => (
    <FiguresLine key={line.name} name={line.name} cells={cells(line)} isSum={line.kind === null} />
  ))
}

function times({ figures: { medianHours, p90Hours, inTimePercent } }: Line): (string | null)[] {
  return [hoursInWords(medianHours), hoursInWords(p90Hours), percentInWords(inTimePercent)]
}

function isAny(count: Count): boolean {
  return count !== 0 && count !== fewerThanFive
}
