import type { ReactNode } from 'react'
import { useSession } from '../../../../browser/session-store.ts'
import type { FileHost } from '../../catalogue-config.server.ts'
import type { VipItem } from '../../item/item-with-links-schema.ts'
import { factsOnPage, mirrorsOnPage } from '../../item/item-on-page.ts'
import { countMirrors } from '../../item/link-slots.ts'
import { vipLinksOf } from '../../item/vip-links.ts'
import type { VipPage } from '../../item/vip-page.ts'
import { GuardedCover } from '../../covers/parts/guarded-cover.tsx'
import { coverOf } from '../../covers/parts/cover-of.ts'
import { Card, CardHead } from '../card/catalogue-card.tsx'
import { countDownload } from '../card/count-download.ts'
import { Offers } from '../card/downloads.tsx'
import { longDay } from '../list/by-day.ts'
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
  const { slug, region } = item
  const isFirst = item.vipFirst === true
  const isOfCategory = page === 'vip-banned' || page === 'vip-unknown'
  const offers = vipLinksOf(item, fileHosts).map(({ site, ...link }) => ({
    ...link,
    format: item[`${link.slot}Format`],
    size: item[`${link.slot}Size`],
    state: item.health[link.slot]?.state ?? ('unknown' as const),
    way: `Opens ${site} in a new tab`,
    onOpen: () => {
      if (token !== undefined) void countDownload(token, { slug, slot: link.slot })
    },
  }))
  const detail = { ...item, ...factsOnPage(item, timeZone) }
  const exclusive = (
    <>
      {page.replace('-', ' ').toUpperCase()}
      <span className="badge-exclusive"> EXCLUSIVE</span>
    </>
  )
  return (
    <Card
      item={{ ...item, mirrors: mirrorsOnPage(countMirrors(item, item.health), timeZone) }}
      path={`/${page}/${slug}`}
      back={back}
      cover={<GuardedCover {...coverOf(item)} />}
      head={
        <>
          <CardHead
            item={detail}
            list={`/${page}`}
            badge={isFirst ? 'VIP first' : exclusive}
            {...(isOfCategory ? { region: region.toUpperCase() } : {})}
            isAhead={isFirst}
          />
          {isFirst ? <p>{`Yours now. It opens to everybody on ${longDay(detail.day)}.`}</p> : null}
        </>
      }
      title="Download Options"
      downloads={
        <>
          <p className="vip-benefits">{benefitsOf(page, region)}</p>
          <Offers slug={slug} offers={offers} token={token} />
        </>
      }
    >
      {near}
    </Card>
  )
}

function benefitsOf(page: VipPage, region: VipItem['region']): string {
  if (page === 'vip-banned' || page === 'vip-unknown') {
    return `Access exclusive ${page.slice(4)} content that's only available to VIP members.`
  }
  const name = region === 'asian' ? 'Asian' : 'Western'
  return `Enjoy instant access to premium ${name} content as a VIP member.`
}
