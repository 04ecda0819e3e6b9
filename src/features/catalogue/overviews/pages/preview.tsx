import { type SyntheticEvent, useState } from 'react'
import { Link, useLocation, useRouteLoaderData } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { SiteTextsForAdmin } from '../../../office/texts/texts-schema.ts'
import { coverOf } from '../../covers/parts/cover-of.ts'
import { GuardedCover } from '../../covers/parts/guarded-cover.tsx'
import { GatewayReport, GatewaySettings } from '../../gateway/gateway-schema.ts'
import { freePageOf, isVipType } from '../../item/content-type.ts'
import { pathOfAnyItem, vipPageOf } from '../../item/vip-page.ts'
import { BackToList } from '../../parts/back-to-list.tsx'
import { CatalogueCard } from '../../parts/card/catalogue-card.tsx'
import { VipCard } from '../../parts/vip/vip-card.tsx'
import { freeShelves } from '../../shelves/free-shelves.ts'
import { vipShelves } from '../../shelves/vip-shelves.ts'
import { ItemForAdmin } from '../../editing/content-schema.ts'
import { isScheduled } from '../../editing/parts/content-words.ts'
import { catalogueContext } from '../../page-context.ts'
import { audienceInWords, detailOf, type SiteOfPreview, vipItemOf } from '../parts/preview-of.ts'
import '../parts/preview.css'
import type { Route } from './+types/preview.ts'

export const handle = { title: 'Preview' } satisfies TitledPage

export const meta = guardedMeta

export function loader({ context }: Route.LoaderArgs) {
  return { earlyAccessDays: context.get(catalogueContext).config.earlyAccessDays }
}

const views = { visitor: 'As visitor', vip: 'As VIP' } as const
type View = keyof typeof views

export default function PreviewRoute({ params, loaderData }: Route.ComponentProps) {
  const id = params.id ?? ''
  const as: View = new URLSearchParams(useLocation().search).get('as') === 'vip' ? 'vip' : 'visitor'
  const site = useRouteLoaderData<SiteOfPreview>('root')
  const query = useAdminQuery(`/api/items/${encodeURIComponent(id)}`, ItemForAdmin, { isForgotten: true })
  const settings = useAdminQuery('/api/gateway', GatewaySettings)
  const report = useAdminQuery('/api/gateway/report', GatewayReport)
  const texts = useAdminQuery('/api/texts', SiteTextsForAdmin)
  const awaited = [query, settings, report, texts].find(({ data }) => data === undefined)
  const item = query.data
  if (site === undefined) return null
  if (item === undefined || settings.data === undefined || report.data === undefined || texts.data === undefined)
    return (
      <WorkPage title="Preview" lead="An entry as visitors or VIPs would see it.">
        <WorkAwaited
          failure="The entry could not be loaded"
          query={awaited ?? query}
          step={query.error?.status === 404 ? <ButtonLink label="Open the content" to="/admin/settings" /> : undefined}
        />
      </WorkPage>
    )
  const benefits = texts.data.texts.find(({ key }) => key === 'vip.upgrade')?.value.split('\n') ?? []
  const gateway = { provider: report.data.state.inForce, waitSeconds: settings.data.waitSeconds }
  return (
    <>
      <PreviewBar item={item} as={as} {...loaderData} />
      {/* The keys of its links and buttons come as clicks. */}
      <div className="column preview" onClickCapture={leaveAlone} onAuxClickCapture={leaveAlone}>
        {isVipType(item.contentType) ? (
          as === 'visitor' ? (
            <StatePage drawing="missing" title="Visitors do not see this entry">
              <p>It is VIP content. To them, its address leads nowhere.</p>
            </StatePage>
          ) : (
            <VipCard
              item={vipItemOf(item)}
              page={vipPageOf(item)}
              {...site}
              back={<BackToList shelf={vipShelves[vipPageOf(item)]} />}
            />
          )
        ) : (
          <FreePreview key={as} item={item} as={as} gateway={gateway} benefits={benefits} site={site} />
        )}
      </div>
    </>
  )
}

function FreePreview({
  item,
  as,
  gateway,
  benefits,
  site,
}: {
  item: ItemForAdmin
  as: View
  gateway: Parameters<typeof detailOf>[1]
  benefits: readonly string[]
  site: SiteOfPreview
}) {
  const { links, ...detail } = detailOf(item, gateway, site)
  return (
    <CatalogueCard
      item={detail}
      neighbours={undefined}
      benefits={benefits}
      back={<BackToList shelf={freeShelves[freePageOf(item)]} />}
      preview={{
        cover: <GuardedCover {...coverOf(item)} />,
        own: as === 'vip' ? { links, recordOpened: () => {} } : undefined,
      }}
    />
  )
}

function PreviewBar({ item, as, ...site }: { item: ItemForAdmin; as: View; earlyAccessDays: number }) {
  const [now] = useState(() => Date.now())
  const isLive = item.status === 'published' && !isScheduled(item, now)
  return (
    <aside className="preview-bar" aria-label="Preview">
      <div className="column">
        <p>
          <strong>{as === 'vip' ? 'Preview as VIP.' : 'Preview as visitor.'}</strong>{' '}
          {audienceInWords(item, { now, ...site })} Downloads open their files and are not counted; other links and
          buttons do nothing here.
        </p>
        <nav className="segments" aria-label="View">
          {(Object.keys(views) as View[]).map((view) => (
            <Link key={view} to={{ search: `as=${view}` }} replace aria-current={view === as ? 'page' : undefined}>
              {views[view]}
            </Link>
          ))}
        </nav>
        {isLive ? <ButtonLink label="See it on the site" to={pathOfAnyItem(item)} /> : null}
        <ButtonLink label="Edit" to={`/admin/settings?edit=${item.id}`} />
      </div>
    </aside>
  )
}

/** A download opens without being counted; anything else that could be pressed does nothing. */
function leaveAlone(event: SyntheticEvent): void {
  const pressed = event.target instanceof Element ? event.target.closest('a, button, summary') : null
  if (pressed === null || pressed.matches('summary')) return
  event.stopPropagation()
  if (!pressed.matches('.download-go, [rel~="license"]')) event.preventDefault()
}
