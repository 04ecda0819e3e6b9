import type { ReactNode } from 'react'
import { useSession } from '../../../../browser/session-store.ts'
import type { FileHost } from '../../catalogue-config.server.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import type { VipItem } from '../../item/item-with-links-schema.ts'
import { basisName, licenceAddress } from '../../item/rights-line.ts'
import { languageName } from '../../item/languages.ts'
import { countMirrors } from '../../item/link-slots.ts'
import { mirrorsOnPage } from '../../item/mirrors-on-page.ts'
import { vipLinksOf } from '../../item/vip-links.ts'
import type { VipPage } from '../../item/vip-page.ts'
import { GuardedCover } from '../../covers/parts/guarded-cover.tsx'
import { coverOf } from '../../covers/parts/cover-of.ts'
import { CardBody, CardHead } from '../card/catalogue-card.tsx'
import { CopyLink } from '../card/copy-link.tsx'
import { countDownload } from '../card/count-download.ts'
import { DownloadButton } from '../card/download-button.tsx'
import { DownloadHealth } from '../card/download-health.tsx'
import { EntryTools } from '../card/entry-tools.tsx'
import { firstToTry } from '../card/downloads.tsx'
import { longDay } from '../list/by-day.ts'
import { MirrorLine } from '../card/mirror-line.tsx'
import { ReportEntry } from '../card/report-entry.tsx'
import './vip-card.css'

export function VipCard({
  item,
  page,
  timeZone,
  fileHosts,
  back,
  near,
}: {
  item: VipItem
  page: VipPage
  timeZone: string
  fileHosts: readonly FileHost[]
  back: ReactNode
  near?: ReactNode
}) {
  const token = useSession().session?.token
  const { region, rights } = item
  const isOfCategory = page === 'vip-banned' || page === 'vip-unknown'
  const links = vipLinksOf(item, fileHosts).map((link) => ({
    ...link,
    state: item.health[link.slot]?.state ?? ('unknown' as const),
  }))
  const first = firstToTry(links)
  const detail = {
    ...item,
    day: dayOf(Date.parse(item.postDate), timeZone),
    languages: (item.language ?? []).map(languageName),
    rights: { ...rights, basis: basisName(rights.basis), licenceUrl: licenceAddress(rights.licence) },
  }
  return (
    <article className="card vip-card">
      <p className="card-back">{back}</p>
      <CardBody cover={<GuardedCover {...coverOf(item)} />}>
        <CardHead
          item={detail}
          list={`/${page}`}
          badge={
            item.vipFirst === true ? (
              'VIP first'
            ) : (
              <>
                {page.replace('-', ' ').toUpperCase()}
                <span className="badge-exclusive"> EXCLUSIVE</span>
              </>
            )
          }
          {...(isOfCategory ? { region: region.toUpperCase() } : {})}
          isAhead={item.vipFirst === true}
        />
        {item.vipFirst === true ? <p>{`Yours now. It opens to everybody on ${longDay(detail.day)}.`}</p> : null}
        <EntryTools slug={item.slug} name={item.name} />
        <section className="card-downloads" aria-labelledby="downloads">
          <h2 id="downloads">Download Options</h2>
          <MirrorLine mirrors={mirrorsOnPage(countMirrors(item, item.health), timeZone)} />
          <p className="vip-benefits">{benefitsOf(page, region)}</p>
          {links.length === 0 ? (
            <p className="no-download">No download is offered for this entry at the moment.</p>
          ) : (
            <ul className="downloads">
              {links.map((link) => {
                const { slot, label, site, url, state } = link
                return (
                  <li key={slot} className="download">
                    <DownloadButton
                      href={url}
                      label={label}
                      file={{ format: item[`${slot}Format`], size: item[`${slot}Size`] }}
                      isFirst={link === first}
                      onOpen={() => {
                        if (token !== undefined) void countDownload(token, { slug: item.slug, slot })
                      }}
                    >
                      {`Opens ${site} in a new tab`}
                    </DownloadButton>
                    <div className="download-tools">
                      <DownloadHealth itemSlug={item.slug} slot={slot} state={state} label={label} token={token} />
                      <CopyLink href={url} label={label} />
                    </div>
                  </li>
                )
              })}
            </ul>
          )}
        </section>
      </CardBody>
      {near}
      <ReportEntry path={`/${page}/${item.slug}`} />
    </article>
  )
}

function benefitsOf(page: VipPage, region: VipItem['region']): string {
  if (page === 'vip-banned' || page === 'vip-unknown') {
    return `Access exclusive ${page.slice(4)} content that's only available to VIP members.`
  }
  const name = region === 'asian' ? 'Asian' : 'Western'
  return `Enjoy instant access to premium ${name} content as a VIP member.`
}
