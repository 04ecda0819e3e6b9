import { Link, useNavigate, useRouteLoaderData } from 'react-router'
import { guardedMeta, type TitledPage, usePageTitle } from '../../../browser/page-title.ts'
import { timeInWords } from '../../../browser/format-instant.ts'
import { useSession } from '../../../browser/session-store.ts'
import { useNow } from '../../../browser/use-now.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { UserText } from '../../office/parts/user-text.tsx'
import { NoticeForDesk } from '../desk/desk-schema.ts'
import { kindLabels } from '../notice/notice-kinds.ts'
import { CaseView } from '../parts/desk/case-view.tsx'
import { noticePath } from '../parts/desk/notice-paths.ts'
import type { Route } from './+types/admin-notice.ts'
import '../parts/desk/desk.css'
import '../parts/desk/case.css'

export const handle = { title: 'A notice' } satisfies TitledPage

export const meta = guardedMeta

const againAfterMs = 60_000

export default function NoticeRoute({ params: { reference } }: Route.ComponentProps) {
  // Another notice is another page: nothing of one is shown for the other.
  return <Loaded key={reference} reference={reference} />
}

function Loaded({ reference }: { reference: string }) {
  const site = useRouteLoaderData<{ fileHosts: readonly { label: string }[] }>('root')
  const { session } = useSession()
  const navigate = useNavigate()
  const query = useAdminQuery(noticePath(reference), NoticeForDesk, {
    isForgotten: true,
    refetchAfterMs: () => (document.visibilityState === 'visible' ? againAfterMs : false),
  })
  const { data: notice, answeredAt, error, refetch, setData } = query
  const now = useNow()
  const isMissing = error?.status === 404
  usePageTitle(isMissing ? 'Not found' : notice === undefined ? undefined : `${kindLabels[notice.kind]} ${reference}`)
  const back = (
    <Link className="button" to="/admin/notices">
      <Icon name="back" size={16} />
      Back to Notices
    </Link>
  )
  if (isMissing) {
    return (
      <div className="column">
        <StatePage drawing="missing" title="There is no such notice" steps={back}>
          <p>Check the reference for typing mistakes, or go back to the list.</p>
        </StatePage>
      </div>
    )
  }
  if (notice === undefined || session === undefined) {
    return (
      <WorkPage title="A notice" lead="The reported entries, and the decision about them." actions={back}>
        <WorkAwaited failure="This notice could not be loaded" query={query} />
      </WorkPage>
    )
  }
  const { name, organization, email, phone } = notice.sender
  const sender = name ?? organization ?? email ?? phone
  return (
    <WorkPage
      title={`${kindLabels[notice.kind]} ${notice.reference}`}
      lead={
        <>
          {`Received ${timeInWords(notice.receivedAt)}`}
          {sender === null ? (
            ', without a name or contact details'
          ) : (
            <>
              {' from '}
              <UserText>{sender}</UserText>
            </>
          )}
          {notice.completedAt === null ? '. Something is still missing.' : '.'}
        </>
      }
      actions={back}
    >
      {error === undefined ? null : <WorkAwaited query={query} />}
      <CaseView
        notice={notice}
        whose={session.email}
        hostLabels={site?.fileHosts.map(({ label }) => label) ?? []}
        now={now}
        answeredAt={answeredAt}
        onChanged={(changed) => setData(() => changed)}
        onGone={refetch}
        onHandedOn={() => void navigate('/admin/notices', { replace: true })}
      />
    </WorkPage>
  )
}
