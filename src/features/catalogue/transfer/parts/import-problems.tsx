import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Pager } from '../../../../ui/pager.tsx'
import { WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { ImportProblemGroups, ImportProblems } from '../import-schema.ts'
import { createLabel, linesInWords, missingInWords } from './import-words.ts'

const namesShown = 40
const refusedShown = 10

/**
 * The problems of the rows, each sentence once with its rows under it. Missing categories can be created here.
 * @param onCreate undefined where the file is gone and cannot be checked again
 */
export function ImportProblemsPanel({
  id,
  isBusy,
  onCreate,
}: {
  id: string
  isBusy: boolean
  onCreate: ((count: number) => void) | undefined
}) {
  const { data, error } = useAdminQuery(`/api/imports/${id}/problem-groups`, ImportProblemGroups)
  if (data === undefined) return error === undefined ? <WorkWaiting /> : <Notice tone="failed">{error.message}</Notice>
  const { groups, total, missingCategories } = data
  return (
    <>
      {missingCategories.length === 0 ? null : (
        <MissingCategories missing={missingCategories} isBusy={isBusy} onCreate={onCreate} />
      )}
      <ul className="transfer-groups" aria-label="Problems">
        {groups.map((group) => (
          <li key={group.key}>
            <ProblemGroup id={id} group={group} />
          </li>
        ))}
      </ul>
      {total > groups.length ? (
        <p className="work-aside">
          {`And ${counted(total - groups.length, 'more problem')}. The rejects file has every row with its reasons.`}
        </p>
      ) : null}
    </>
  )
}

function MissingCategories({
  missing,
  isBusy,
  onCreate,
}: {
  missing: ImportProblemGroups['missingCategories']
  isBusy: boolean
  onCreate: ((count: number) => void) | undefined
}) {
  const creatable = missing.filter(({ refusal }) => refusal === null)
  const refused = missing.filter(({ refusal }) => refusal !== null)
  return (
    <div className="transfer-missing">
      {creatable.length === 0 ? null : (
        <>
          <p>{missingInWords(creatable)}</p>
          <ul className="transfer-names" aria-label="Categories that are missing">
            {creatable.slice(0, namesShown).map(({ name, rows }) => (
              <li key={name}>
                <bdi>{name}</bdi> <span className="work-aside">{counted(rows, 'row')}</span>
              </li>
            ))}
            {creatable.length > namesShown ? (
              <li>{`and ${(creatable.length - namesShown).toLocaleString('en-US')} more`}</li>
            ) : null}
          </ul>
          {onCreate === undefined ? null : (
            <div className="work-steps">
              <Button
                look="solid"
                label={createLabel(creatable.length)}
                isBusy={isBusy}
                onClick={() => onCreate(creatable.length)}
              />
            </div>
          )}
        </>
      )}
      {refused.length === 0 ? null : (
        <Notice tone="failed">
          {refused.slice(0, refusedShown).map(({ name, rows, refusal }) => (
            <p key={name}>{`${refusal ?? ''} ${counted(rows, 'row')} ${rows === 1 ? 'names' : 'name'} it.`}</p>
          ))}
          {refused.length > refusedShown ? (
            <p>{`Nor are ${(refused.length - refusedShown).toLocaleString('en-US')} more.`}</p>
          ) : null}
        </Notice>
      )}
    </div>
  )
}

function ProblemGroup({ id, group }: { id: string; group: ImportProblemGroups['groups'][number] }) {
  const [isOpen, setIsOpen] = useState(false)
  const { key, column, sentence, rows } = group
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span className="transfer-group">
          <strong>{counted(rows, 'row')}</strong>
          {column === null ? null : <code>{column}</code>}
          <span>{sentence}</span>
          <span className="work-aside">{linesInWords(group)}</span>
        </span>
      </summary>
      {isOpen ? <GroupRows id={id} group={key} label={sentence} /> : null}
    </details>
  )
}

function GroupRows({ id, group, label }: { id: string; group: string; label: string }) {
  const [page, setPage] = useState(1)
  const path = `/api/imports/${id}/problems?page=${page}&group=${group}`
  const { data, error, isFetching } = useAdminQuery(path, ImportProblems, { keepsPrevious: true })
  if (data === undefined) return error === undefined ? <WorkWaiting /> : <Notice tone="failed">{error.message}</Notice>
  return (
    <>
      <DataTable label={label} heads={['Line', 'Name']} figures={['Line']} isCompact isBusy={isFetching}>
        {data.problems.map(({ line, name }) => (
          <tr key={line}>
            <td className="data-figure">{line.toLocaleString('en-US')}</td>
            <td className="transfer-wide">
              <bdi>{name}</bdi>
            </td>
          </tr>
        ))}
      </DataTable>
      <Pager page={page} totalPages={data.totalPages} onPage={setPage} />
    </>
  )
}
