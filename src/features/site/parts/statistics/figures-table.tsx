import type { ReactNode } from 'react'
import { TextLink } from '../../../../ui/button.tsx'
import { csvLines, type Figure } from '../../../../platform/csv/csv.ts'
import { saveFile } from '../../../../browser/save-file.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { FileButton } from '../../../office/parts/file-button.tsx'

type Cell = string | number | Figure

interface Table {
  /** Names it for screen readers, and its file. */
  name: string
  heads: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** The link of the first cell of each row, or null. A file has no links. */
  links?: readonly (string | null)[]
}

/** The figures behind a chart, folded, for everybody who would rather read them, and as a file. */
export function FoldedTable({ table }: { table: Table }) {
  return (
    <details className="stat-table">
      <summary>{`Table: ${table.name}`}</summary>
      <Figures table={table} />
      <SaveTable table={table} />
    </details>
  )
}

/** Figures without a chart, which can be saved as a file. */
export function FiguresTable({
  table,
  title,
  acts,
}: {
  table: Table
  /** Stands above it; without one, the heading of its section says enough. */
  title?: string
  /** The next step of each row, in a column of its own; the file has none of it. */
  acts?: readonly ReactNode[]
}) {
  return (
    <div className="stat-table">
      {title === undefined ? null : <h3>{title}</h3>}
      <Figures table={table} acts={acts} />
      <SaveTable table={table} />
    </div>
  )
}

export function SaveTable({ table }: { table: Table }) {
  return (
    <FileButton look="link" name={`Save as CSV: ${table.name}`} save={async () => save(table)}>
      Save as CSV
    </FileButton>
  )
}

function Figures({ table, acts }: { table: Table; acts?: readonly ReactNode[] | undefined }) {
  return (
    <DataTable
      label={table.name}
      heads={acts === undefined ? table.heads : [...table.heads, 'Actions']}
      // More columns leave a name no room on a phone.
      isCompact={table.heads.length < 5}
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
          {acts === undefined ? null : <td>{acts[place]}</td>}
        </tr>
      ))}
    </DataTable>
  )
}

function Linked({ to, children }: { to: string | null | undefined; children: string }) {
  if (to === null || to === undefined) return children
  return (
    <TextLink to={to}>
      <bdi>{children}</bdi>
    </TextLink>
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
