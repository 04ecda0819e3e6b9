import { Link } from 'react-router'
import { csvLines } from '../../../../platform/csv/csv.ts'
import { saveFile } from '../../../../browser/save-file.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { FileButton } from '../../../office/parts/file-button.tsx'
import type { Cell, Table } from '../../statistics/table.ts'

/** The figures behind a chart, for everybody who would rather read them, and as a file. */
export function FiguresTable({ table, isOpen = false }: { table: Table; isOpen?: boolean }) {
  return (
    <details className="stat-table" open={isOpen}>
      <summary>{`Table: ${table.name}`}</summary>
      <DataTable
        label={table.name}
        heads={table.heads}
        isCompact
        figures={table.heads.filter((_, column) => isFigure(table.rows[0]?.[column]))}
      >
        {table.rows.map((row, place) => (
          // The rows of an answer never move.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={place}>
            {row.map((value, column) => (
              <td key={table.heads[column]} className={isFigure(value) ? 'data-figure' : undefined}>
                <Linked to={column === 0 ? table.links?.[place] : null}>{inWords(value)}</Linked>
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      <FileButton name={`Save as CSV: ${table.name}`} save={async () => save(table)}>
        Save as CSV
      </FileButton>
    </details>
  )
}

function Linked({ to, children }: { to: string | null | undefined; children: string }) {
  if (to === null || to === undefined) return children
  return (
    <Link className="text-link" to={to}>
      <bdi>{children}</bdi>
    </Link>
  )
}

function isFigure(value: Cell | undefined): boolean {
  return typeof value === 'number' || typeof value === 'object'
}

function inWords(value: Cell): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return value.toLocaleString('en-US')
  const { figure, decimals } = value
  return figure.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** @returns the name of the file */
function save(table: Table): string {
  const name = `${table.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  // The mark says to spreadsheets that this is UTF-8.
  const lines = csvLines([table.heads, ...table.rows])
  saveFile(name, new Blob(['\uFEFF', lines], { type: 'text/csv;charset=utf-8' }))
  return name
}
