import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { CategoriesForAdmin, type CategoryForAdmin } from '../categories-schema.ts'
import { CategoryDialog, type CategoryTask } from '../parts/category-dialogs.tsx'

export const handle = { title: 'Categories' } satisfies TitledPage

export const meta = guardedMeta

const lookEveryMs = 1_000

export default function CategoriesRoute() {
  const query = useAdminQuery('/api/categories', CategoriesForAdmin, {
    refetchAfterMs: (answer) =>
      answer?.categories.some(({ merging }) => merging !== null) === true ? lookEveryMs : false,
  })
  const { data, error, refetch } = query
  const [task, setTask] = useState<CategoryTask>()
  const [done, setDone] = useState<string>()
  return (
    <WorkPage
      title="Categories"
      lead="The labels beside entries in lists. Banned and Unknown have pages of their own and cannot be changed."
      actions={<Button look="solid" label="Add a category" onClick={() => setTask({ kind: 'add' })} />}
    >
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      {data === undefined ? (
        <WorkAwaited failure="The categories could not be loaded" query={query} />
      ) : (
        <>
          {error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}
          {data.stopped.map(({ from, into, sentence, refused }) => (
            <Notice key={`${from} ${into}`} tone="failed">
              <p>{`'${from}' could not be merged into '${into}'. ${sentence}`}</p>
              {refused.length === 0 ? null : (
                <ul>
                  {refused.map(({ name, reason }) => (
                    <li key={name}>
                      <bdi>{name}</bdi>
                      {`: ${reason}`}
                    </li>
                  ))}
                </ul>
              )}
            </Notice>
          ))}
          <CategoriesTable categories={data.categories} onTask={setTask} />
        </>
      )}
      {task === undefined || data === undefined ? null : (
        <CategoryDialog
          task={task}
          categories={data.categories}
          onDone={(sentence) => {
            setTask(undefined)
            setDone(sentence)
            refetch()
          }}
          onClose={() => setTask(undefined)}
        />
      )}
    </WorkPage>
  )
}

function CategoriesTable({
  categories,
  onTask,
}: {
  categories: readonly CategoryForAdmin[]
  onTask: (task: CategoryTask) => void
}) {
  return (
    <DataTable
      label="Categories"
      heads={['Category', 'Entries', 'Published', 'Actions']}
      figures={['Entries', 'Published']}
    >
      {categories.map((category) => {
        const { id, name, items, published, isFixed, merging } = category
        return (
          <tr key={id} className={merging === null ? undefined : 'is-off'}>
            <td>
              <bdi>{name}</bdi>
            </td>
            <td className="data-figure">{items.toLocaleString('en-US')}</td>
            <td className="data-figure">{published.toLocaleString('en-US')}</td>
            <td>
              <div className="data-actions">
                {merging !== null
                  ? `Merging into ${merging.into}: ${merging.moved.toLocaleString('en-US')} moved`
                  : isFixed
                    ? 'Built in'
                    : (['rename', 'merge', 'remove'] as const)
                        .filter((kind) => kind !== (items === 0 ? 'merge' : 'remove'))
                        .map((kind) => (
                          <Button
                            key={kind}
                            label={{ rename: 'Rename', merge: 'Merge', remove: 'Remove' }[kind]}
                            about={` ${name}`}
                            onClick={() => onTask({ kind, category })}
                          />
                        ))}
              </div>
            </td>
          </tr>
        )
      })}
    </DataTable>
  )
}
