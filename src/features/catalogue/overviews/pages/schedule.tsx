import { useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useRouteLoaderData } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { periodInWords } from '../../../../platform/time/period-in-words.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { CategoryNames, type ItemForAdmin } from '../../editing/content-schema.ts'
import type { SiteOfForm } from '../../editing/parts/content-form.tsx'
import { EditForm } from '../../editing/parts/edit-form.tsx'
import { EditPanel } from '../../editing/parts/edit-panel.tsx'
import { SavedNotice } from '../../editing/parts/saved-notice.tsx'
import { isMonth, monthAfter } from '../month.ts'
import { Schedule } from '../overviews-schema.ts'
import { ScheduleMonth } from '../parts/schedule-month.tsx'
import '../../editing/parts/content.css'

export const handle = { title: 'Calendar' } satisfies TitledPage

export const meta = guardedMeta

export default function ScheduleRoute() {
  const site = useRouteLoaderData<SiteOfForm>('root')
  const requested = new URLSearchParams(useLocation().search)
  const asked = requested.get('month') ?? ''
  const month = isMonth(asked) ? asked : ''
  const edited = requested.get('edit')
  const query = useAdminQuery(`/api/schedule${month === '' ? '' : `?month=${month}`}`, Schedule, {
    keepsPrevious: true,
  })
  const { data, isFetching, refetch } = query
  return (
    <WorkPage
      title="Calendar"
      lead="Published and scheduled entries by the day on which they are posted."
      actions={<ButtonLink label="Show the list" to="/admin/settings" />}
    >
      {data === undefined ? (
        <WorkAwaited failure="The calendar could not be loaded" query={query} />
      ) : (
        <>
          <MonthNav schedule={data} />
          <ScheduleMonth key={data.month} schedule={data} isBusy={isFetching} />
        </>
      )}
      {edited === null || site === undefined ? null : (
        <Edited key={edited} id={edited} site={site} onChanged={refetch} />
      )}
    </WorkPage>
  )
}

function MonthNav({ schedule: { month, today } }: { schedule: Schedule }) {
  const step = (name: string, to: string, icon: 'back' | 'on') =>
    isMonth(to) ? (
      <Link
        className="button button-icon"
        aria-label={`${name}: ${periodInWords(to, 'long')}`}
        to={{ search: `month=${to}` }}
        preventScrollReset
      >
        <Icon name={icon} />
      </Link>
    ) : null
  const year = (to: string) =>
    isMonth(to) ? (
      <ButtonLink
        look="quiet"
        label={to.slice(0, 4)}
        about={`: ${periodInWords(to, 'long')}`}
        to={{ search: `month=${to}` }}
        preventScrollReset
      />
    ) : null
  return (
    <nav className="schedule-nav" aria-label="Months">
      {step('Previous month', monthAfter(month, -1), 'back')}
      <h2 aria-live="polite">{periodInWords(month, 'long')}</h2>
      {step('Next month', monthAfter(month, 1), 'on')}
      {year(monthAfter(month, -12))}
      {year(monthAfter(month, 12))}
      {today.startsWith(month) ? null : (
        <ButtonLink look="quiet" label="This month" to={{ search: `month=${today.slice(0, 7)}` }} preventScrollReset />
      )}
    </nav>
  )
}

/** The form of an entry beside the calendar, which shows what it saves. */
function Edited({ id, site, onChanged }: { id: string; site: SiteOfForm; onChanged: () => void }) {
  const { session } = useSession()
  const navigate = useNavigate()
  const { data: known } = useAdminQuery('/api/item-categories', CategoryNames)
  const [saved, setSaved] = useState<ItemForAdmin>()
  const isFreeToLeave = useRef(false)
  const close = (): void => {
    const search = new URLSearchParams(location.search)
    search.delete('edit')
    void navigate({ search: search.toString() }, { preventScrollReset: true, replace: true })
  }
  if (session === undefined) return null
  return (
    <EditPanel id={id} onClose={close}>
      <EditForm
        id={id}
        whose={session.email}
        site={site}
        categories={known?.categories ?? []}
        notice={saved === undefined ? null : <SavedNotice key={saved.version} item={saved} />}
        isFreeToLeave={isFreeToLeave}
        onSaved={(item) => {
          setSaved(item)
          onChanged()
        }}
        onRecorded={onChanged}
        onGone={onChanged}
        onClose={() => {
          isFreeToLeave.current = true
          close()
          isFreeToLeave.current = false
        }}
      />
    </EditPanel>
  )
}
