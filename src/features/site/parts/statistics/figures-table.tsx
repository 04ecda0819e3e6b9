import { csvLines } from '../../../../platform/csv/csv.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { Table } from '../../statistics/table.ts'

/** The figures behind a chart, for everybody who would rather read them, and as a file. */
export function FiguresTable({ table, isOpen = false }: { table: Table; isOpen?: boolean }) {
  return (
    <details className="stat-table" open={isOpen}>
      <summary>{`Table: ${table.name}`}</summary>
      <DataTable
        label={table.name}
        heads={table.heads}
        figures={table.heads.filter((_, column) => typeof table.rows[0]?.[column] === 'number')}
      >
        {table.rows.map((row, place) => (
          // The rows of an answer never move.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={place}>
            {row.map((value, column) => (
              <td key={table.heads[column]} className={typeof value === 'number' ? 'data-figure' : undefined}>
                {typeof value === 'number' ? value.toLocaleString('en-US') : value}
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

function save(table: Table): void {
  // The mark says to spreadsheets that this is UTF-8.
  const url = URL.createObjectURL(
    new Blob(['\uFEFF', csvLines([table.heads, ...table.rows])], { type: 'text/csv;charset=utf-8' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = `${table.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
