import type { ReactNode } from 'react'
import { Moment } from '../../../../browser/moment.tsx'
import type { ApiQuery } from '../../../../browser/queries.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkEmpty, WorkSection } from '../../../../ui/work-page.tsx'

/** Stands for a number that is not known yet. */
export const noFigure = '–'

/** How often the list is asked for again while one of its runs is under way. */
export const lookAtRunsEveryMs = 3_000

export interface RunUntilNow {
  id: string
  /** The cells of its row in the order of the heads; a number is set as a figure, and so is `noFigure` in its column. */
  cells: readonly (ReactNode | { at: string })[]
  hasFailed: boolean
}

/** The long work of one kind until now, as it is asked for. */
export function RunsUntilNow({
  title,
  heads,
  runs,
  query,
  empty,
}: {
  title: string
  heads: readonly string[]
  /** Undefined until they are there. */
  runs: readonly RunUntilNow[] | undefined
  query: Pick<ApiQuery<unknown>, 'answeredAt' | 'error' | 'isFetching' | 'refetch'>
  /** Said where there are none. */
  empty: string
}) {
  const figures = heads.filter((_, place) => runs?.some(({ cells }) => typeof cells[place] === 'number'))
  return (
    <WorkSection title={title}>
      {runs === undefined ? (
        <WorkAwaited query={query} />
      ) : runs.length === 0 ? (
        <WorkEmpty>{empty}</WorkEmpty>
      ) : (
        <DataTable label={title} heads={heads} figures={figures}>
          {runs.map(({ id, cells, hasFailed }) => (
            <tr key={id} className={hasFailed ? 'is-danger' : undefined}>
              {cells.map((cell, place) => (
                <td key={heads[place]} className={figures.includes(heads[place] ?? '') ? 'data-figure' : undefined}>
                  {typeof cell === 'number' ? (
                    cell.toLocaleString('en-US')
                  ) : isInstant(cell) ? (
                    <Moment at={cell.at} now={query.answeredAt} />
                  ) : (
                    cell
                  )}
                </td>
              ))}
            </tr>
          ))}
        </DataTable>
      )}
    </WorkSection>
  )
}

function isInstant(cell: ReactNode | { at: string }): cell is { at: string } {
  return typeof cell === 'object' && cell !== null && 'at' in cell
}
