import { useState } from 'react'
import { DataTable } from '../../../../../ui/data-table.tsx'
import { Notice } from '../../../../../ui/notice.tsx'
import { Pager } from '../../../../../ui/pager.tsx'
import { useAdminQuery } from '../../../../accounts/browser/admin-query.ts'
import { ImportProblems } from '../../import/import-schema.ts'

/** The rows that were rejected or held, a sentence a line. */
export function ImportProblemsTable({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const { data, error, isFetching } = useAdminQuery(`/api/imports/${id}/problems?page=${page}`, ImportProblems, {
    keepsPrevious: true,
  })
  if (data === undefined) return error === undefined ? null : <Notice tone="failed">{error.message}</Notice>
  return (
    <>
      <DataTable label="Problems" heads={['Line', 'Column', 'Problem']} figures={['Line']} isBusy={isFetching}>
        {data.problems.flatMap(({ line, reasons }) =>
          reasons.map(({ column, sentence }, i) => (
            <tr key={`${line} ${sentence}`}>
              <td className="data-figure">{i === 0 ? line.toLocaleString('en-US') : ''}</td>
              <td>{column ?? ''}</td>
              <td className="transfer-wide">{sentence}</td>
            </tr>
          )),
        )}
      </DataTable>
      <Pager page={page} totalPages={data.totalPages} onPage={setPage} />
    </>
  )
}
