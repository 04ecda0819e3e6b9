import { useState } from 'react'
import { weekdayInWords } from '../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { Notice } from '../../../ui/notice.tsx'
import { RetryButton } from '../../../ui/retry-button.tsx'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { AdminHome } from '../home/admin-home-schema.ts'
import { AdminHomeRows, Yesterday } from '../parts/administration/admin-home.tsx'
import { FirstSteps } from '../parts/administration/first-steps.tsx'
import { daySentence } from '../parts/administration/home-words.ts'

export const handle = { title: 'Administration' } satisfies TitledPage

export const meta = guardedMeta

const readAgainAfterMs = 60_000

export default function AdminHomeRoute() {
  const [openedAt] = useState(() => Date.now())
  const query = useAdminQuery('/api/admin/home', AdminHome, {
    refetchAfterMs: () => (document.visibilityState === 'visible' ? readAgainAfterMs : false),
  })
  const { data, answeredAt, error, isFetching, refetch } = query
  return (
    <WorkPage
      title={weekdayInWords(answeredAt === 0 ? openedAt : answeredAt)}
      lead={data === undefined ? 'Loading...' : daySentence(data.things, data.unread)}
    >
      {error === undefined || data === undefined ? null : (
        <Notice tone="failed">
          <p>{error.message}</p>
          <p>
            <RetryButton isFetching={isFetching} onRetry={refetch} />
          </p>
        </Notice>
      )}
      {data === undefined ? (
        <WorkAwaited failure="This page could not be loaded" query={query} />
      ) : (
        <>
          <AdminHomeRows rows={data.rows} now={answeredAt} />
          <Yesterday figures={data.figures} />
          {data.firstSteps.length === 0 ? null : <FirstSteps steps={data.firstSteps} onChanged={refetch} />}
          <ul className="home-standings" aria-label="What runs by itself">
            {data.standings.map((standing) => (
              <li key={standing}>{standing}</li>
            ))}
          </ul>
        </>
      )}
    </WorkPage>
  )
}
