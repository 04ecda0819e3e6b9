import { csvLines } from '../../../../platform/csv/csv.ts'
import { saveFile } from '../../../../browser/save-file.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { Cell, Table } from '../../statistics/table.ts'

/** The figures behind a chart, for everybody who would rather read them, and as a file. */
export function FiguresTable({ table, isOpen = false }: { table: Table; isOpen?: boolean }) {
  return (
    <details className="stat-table" open={isOpen}>
      <summary>{`Table: ${table.name}`}</summary>
      <DataTable
        label={table.name}
        heads={table.heads}
        figures={table.heads.filter((_, column) => isFigure(table.rows[0]?.[column]))}
      >
        {table.rows.map((row, place) => (
          // The rows of an answer never move.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={place}>
            {row.map((value, column) => (
              <td key={table.heads[column]} className={isFigure(value) ? 'data-figure' : undefined}>
                {inWords(value)}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      <button type="button" className="button" aria-label={`Save as CSV: ${table.name}`} onClick={() => save(table)}>
        Save as CSV
      </button>
    </details>
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

function save(table: Table): void {
  const name = `${table.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  // The mark says to spreadsheets that this is UTF-8.
  const lines = csvLines([table.heads, ...table.rows])
  saveFile(name, new Blob(['\uFEFF', lines], { type: 'text/csv;charset=utf-8' }))
}
