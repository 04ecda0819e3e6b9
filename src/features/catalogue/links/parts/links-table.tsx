import { Button, ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { useApiMutation } from '../../../../browser/queries.ts'
import { useAnsweredAt } from '../../../../browser/use-answered-at.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { siteInWords } from '../../item/host-in-words.ts'
import { pathOfAnyItem } from '../../item/vip-page.ts'
import type { LinkedEntry, LinkForAdmin } from '../links-schema.ts'
import { reasonInWords, stateNames, tellingLink } from './links-words.ts'
import './link-states.css'

/** The entries, each with a dot for each of its links; those without a live mirror are tinted. */
export function LinksTable({
  entries,
  isBusy,
  canCheck,
  requested,
  onRequested,
}: {
  entries: readonly LinkedEntry[]
  isBusy: boolean
  canCheck: boolean
  requested: ReadonlyMap<number, string | null>
  onRequested: (links: readonly LinkForAdmin[]) => void
}) {
  const now = useAnsweredAt(entries)
  const check = useApiMutation<readonly LinkForAdmin[], LinkedEntry>({
    async mutationFn({ links }) {
      for (const id of new Set(links.map((link) => link.id)))
        await request(`/api/links/${id}/check`, MessageAnswer, { method: 'POST' })
      return links
    },
    onSuccess: onRequested,
    onError: recheckAccess,
  })
  return (
    <>
      <Announced>{check.error === null ? null : <Notice tone="failed">{check.error.message}</Notice>}</Announced>
      <DataTable label="Links" heads={['Entry', 'Mirrors', 'Last check', 'Actions']} isBusy={isBusy}>
        {entries.map((entry) => {
          const { id, name, links, hasLiveMirror } = entry
          const isWaiting =
            (check.isPending && check.variables.id === id) ||
            links.some((link) => requested.get(link.id) === link.checkedAt)
          return (
            <tr key={id} className={hasLiveMirror ? undefined : 'is-danger'}>
              <td>
                <TextLink to={pathOfAnyItem(entry)}>
                  <bdi>{name}</bdi>
                </TextLink>
                {hasLiveMirror ? null : <span className="links-lost">No live mirror</span>}
              </td>
              <td>
                <ul className="links-mirrors" aria-label={`Links of ${name}`}>
                  {links.map((link) => (
                    <li key={link.slot}>
                      <Mirror {...link} />
                    </li>
                  ))}
                </ul>
              </td>
              <td>
                <LastCheck links={links} now={now} />
              </td>
              <td>
                <span className="data-actions">
                  <ButtonLink label="Edit" about={`: ${name}`} to={`/admin/settings?edit=${id}`} />
                  {canCheck ? (
                    <Button
                      label={isWaiting ? 'Checking...' : 'Check now'}
                      about={`: ${name}`}
                      isBusy={isWaiting}
                      onClick={() => check.mutate(entry)}
                    />
                  ) : null}
                </span>
              </td>
            </tr>
          )
        })}
      </DataTable>
    </>
  )
}

function Mirror({ address, state }: LinkForAdmin) {
  return (
    <a
      className={`link-state link-state-${state} text-link`}
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={`${stateNames[state]}: ${address}`}
    >
      <span className="sr-only">{`${stateNames[state]}: `}</span>
      {siteInWords(address)}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** How the checks of an entry went: by its worst link, and whether visitors have reported one. */
function LastCheck({ links, now }: { links: readonly LinkForAdmin[]; now: number }) {
  const telling = tellingLink(links)
  if (telling === undefined) return null
  const reportedAt = links.find((link) => link.reportedAt !== null)?.reportedAt ?? null
  return (
    <>
      {telling.checkedAt === null ? (
        'Not checked yet'
      ) : (
        <>
          {telling.state === 'ok' ? 'Working' : `${stateNames[telling.state]}: ${reasonInWords(telling)}`},{' '}
          <Moment at={telling.checkedAt} now={now} />
        </>
      )}
      {reportedAt === null ? null : (
        <span className="links-reported">
          Reported <Moment at={reportedAt} now={now} />
        </span>
      )}
    </>
  )
}
