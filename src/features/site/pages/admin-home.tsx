import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { Notice } from '../../../ui/notice.tsx'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { AdminHome } from '../home/admin-home-schema.ts'
import { AdminHomeLists } from '../parts/administration/admin-home.tsx'

export const handle = { title: 'Administration' } satisfies TitledPage

export const meta = guardedMeta

/** The home of the administration. */
export default function AdminHomeRoute() {
  const query = useAdminQuery('/api/admin/home', AdminHome)
  const { data, answeredAt, error, isFetching, refetch } = query
  return (
    <WorkPage
      title="Administration"
      lead="First steps, waiting work, and recent failures."
      actions={
        <button
          type="button"
          className="button"
          aria-disabled={isFetching}
          onClick={() => {
            if (!isFetching) refetch()
          }}
        >
          {isFetching ? 'Loading...' : 'Refresh'}
        </button>
      }
    >
      {error === undefined || data === undefined ? null : <Notice tone="failed">{error.message}</Notice>}
      {data !== undefined ? (
        <AdminHomeLists home={data} answeredAt={answeredAt} />
      ) : (
        <WorkAwaited failure="The home could not be loaded" query={query} />
      )}
    </WorkPage>
  )
}
