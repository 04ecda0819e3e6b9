import { useState } from 'react'
import { Link } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { refetchAnswersUnder } from '../../../browser/queries.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { WorkEmpty, WorkPage, WorkSection, WorkWaiting } from '../../../ui/work-page.tsx'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { RetryButton } from '../../office/parts/retry-button.tsx'
import { type UnattachedCounterNotice, UnattachedCounterNotices } from '../desk/desk-schema.ts'
import { casePath, noticesPath, unattachedPath } from '../parts/desk/notice-paths.ts'
import { UnattachedCard } from '../parts/desk/unattached-card.tsx'
import { AttachToDialog, RefuseUnattachedDialog } from '../parts/desk/unattached-dialogs.tsx'
import '../parts/desk/desk.css'

export const handle = { title: 'Counter-notices without a notice' } satisfies TitledPage

export const meta = guardedMeta

/** The last act: attached to the notice of this reference, or refused. */
type Done = { attachedTo: string } | 'refused'

/** Counter-notices that could not be attached to a notice by themselves. */
export default function CounterNoticesRoute() {
  const { pages, error, isFetching, hasMore, more } = useAdminPages(unattachedPath(), UnattachedCounterNotices, {
    keepsPrevious: true,
  })
  const [opened, setOpened] = useState<{ verb: 'attach' | 'refuse'; counterNotice: UnattachedCounterNotice }>()
  const [done, setDone] = useState<Done>()
  const shown = pages.flatMap(({ counterNotices }) => counterNotices)
  const close = (): void => setOpened(undefined)
  const finish = (what: Done): void => {
    setDone(what)
    close()
    refetchAnswersUnder(noticesPath)
  }
  return (
    <WorkPage
      title="Counter-notices without a notice"
      lead="Their reference is of no notice that a counter-notice can answer, or too many waited there. Attach each one to the notice that it means, or refuse it."
      actions={
        <Link className="button" to="/admin/notices">
          <Icon name="back" size={16} />
          Back to Notices
        </Link>
      }
    >
      <Announced>
        {done === undefined ? null : (
          <Notice tone="done">
            {done === 'refused' ? (
              <p>The counter-notice was refused.</p>
            ) : (
              <p>
                {'The counter-notice was attached to '}
                <Link className="text-link" to={casePath(done.attachedTo)}>
                  {done.attachedTo}
                </Link>
                . Accept or refuse it there.
              </p>
            )}
          </Notice>
        )}
      </Announced>
      {pages.length === 0 ? (
        error === undefined ? (
          <WorkWaiting />
        ) : (
          <StatePage
            drawing="blot"
            title="The counter-notices could not be loaded"
            level={2}
            steps={<RetryButton isFetching={isFetching} onRetry={more} />}
          >
            <p>{error.message}</p>
          </StatePage>
        )
      ) : shown.length === 0 ? (
        <WorkEmpty
          step={
            <Link className="button" to="/admin/notices">
              Show all waiting notices
            </Link>
          }
        >
          No counter-notice waits without a notice.
        </WorkEmpty>
      ) : (
        <WorkSection title="Waiting for an answer, the oldest first">
          <ul className="desk-entries">
            {shown.map((counterNotice) => (
              <li key={counterNotice.id} className="desk-card">
                <UnattachedCard
                  counterNotice={counterNotice}
                  onAttach={() => setOpened({ verb: 'attach', counterNotice })}
                  onRefuse={() => setOpened({ verb: 'refuse', counterNotice })}
                />
              </li>
            ))}
          </ul>
          <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
        </WorkSection>
      )}
      {opened === undefined ? null : opened.verb === 'attach' ? (
        <AttachToDialog
          counterNotice={opened.counterNotice}
          onDone={(attachedTo) => finish({ attachedTo })}
          onClose={close}
        />
      ) : (
        <RefuseUnattachedDialog counterNotice={opened.counterNotice} onDone={() => finish('refused')} onClose={close} />
      )}
    </WorkPage>
  )
}
