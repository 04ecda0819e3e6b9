import { Link } from 'react-router'
import { request } from '../../../../browser/api-client.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { useApiMutation } from '../../../../browser/queries.ts'
import { useAnsweredAt } from '../../../../browser/use-answered-at.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { pathOfAnyItem } from '../../item/vip-page.ts'
import type { LinkForAdmin } from '../links-schema.ts'
import { reasonInWords, stateNames } from './links-words.ts'
import './link-states.css'

const heads = ['Entry', 'Host', 'State', 'Last checked', 'Reason', 'Reported'] as const

/** The links; those without a live mirror are tinted. */
export function LinksTable({
  links,
  isBusy,
  canCheck,
  requested,
  onRequested,
}: {
  links: readonly LinkForAdmin[]
  isBusy: boolean
  canCheck: boolean
  /** The checks that were requested, by the id of the link, with the time of the check before. */
  requested: ReadonlyMap<number, string | null>
  onRequested: (link: LinkForAdmin) => void
}) {
  const now = useAnsweredAt(links)
  const check = useApiMutation<MessageAnswer, LinkForAdmin>({
    mutationFn: ({ id }) => request(`/api/links/${id}/check`, MessageAnswer, { method: 'POST' }),
    onSuccess: (_answer, link) => onRequested(link),
    onError: recheckAccess,
  })
  return (
    <>
      <Announced>{check.error === null ? null : <Notice tone="failed">{check.error.message}</Notice>}</Announced>
      <DataTable label="Links" heads={[...heads, ...(canCheck ? ['Actions'] : [])]} isBusy={isBusy}>
        {links.map((link) => {
          const { id, item, slot, address, host, state, checkedAt, reportedAt } = link
          const isWaiting = (check.isPending && check.variables.id === id) || requested.get(id) === checkedAt
          return (
            <tr key={`${id} ${item.slug} ${slot}`} className={item.hasLiveMirror ? undefined : 'is-danger'}>
              <td>
                <Link className="text-link" to={pathOfAnyItem(item)}>
                  <bdi>{item.name}</bdi>
                </Link>
                {item.hasLiveMirror ? null : <span className="links-lost">No live mirror</span>}
              </td>
              <td>
                <a
                  className="text-link"
                  href={address}
                  target="_blank"
                  rel="noopener noreferrer nofollow"
                  title={address}
                >
                  {host}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>{' '}
                <span className="links-slot">{slot}</span>
              </td>
              <td>
                <span className={`link-state link-state-${state}`}>{stateNames[state]}</span>
              </td>
              <td>{checkedAt === null ? 'never' : <Moment at={checkedAt} now={now} />}</td>
              <td>{reasonInWords(link)}</td>
              <td>{reportedAt === null ? 'no' : <Moment at={reportedAt} now={now} />}</td>
              {canCheck ? (
                <td>
                  <button
                    type="button"
                    className="button"
                    aria-disabled={isWaiting}
                    onClick={() => {
                      if (!isWaiting) check.mutate(link)
                    }}
                  >
                    {isWaiting ? 'Checking...' : 'Check now'}
                    <span className="sr-only">{`: ${item.name}, ${slot}`}</span>
                  </button>
                </td>
              ) : null}
            </tr>
          )
        })}
      </DataTable>
    </>
  )
}
