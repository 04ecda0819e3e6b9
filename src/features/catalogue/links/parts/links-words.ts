import { counted } from '../../../../platform/counted.ts'
import type { LinkState } from '../../item/link-slots.ts'
import type { LinkReason } from '../link-outcome.ts'
import type { LinkForAdmin, LinksForAdmin } from '../links-schema.ts'

export const stateNames: Record<LinkState, string> = {
  ok: 'Working',
  suspect: 'In doubt',
  dead: 'Dead',
  unknown: 'Unknown',
}

const reasons: Record<Exclude<LinkReason, 'http'>, string> = {
  timeout: 'no answer in time',
  dns: 'the host name could not be looked up',
  no_such_host: 'no such host',
  refused: 'the host refuses connections',
  unreachable: 'the host cannot be reached',
  reset: 'the connection was cut',
  tls: 'invalid certificate or failed secure connection',
  protocol: 'no valid answer',
  redirects: 'more than 5 redirects',
  redirect_invalid: 'redirects to something that is not a web address',
  private_address: 'leads to a private address or to this server itself',
  port: 'not checked: its port is neither 80, 443 nor one of LINK_CHECK_PORTS',
}

export function reasonInWords({ reason, status }: Pick<LinkForAdmin, 'reason' | 'status'>): string {
  if (reason === null) return 'not checked yet'
  if (reason !== 'http') return reasons[reason]
  if (status === 401 || status === 403) return `the host won't say (${status})`
  if (status !== null && status >= 200 && status < 300) return `found (${status})`
  return status === 404 || status === 410 ? `not found (${status})` : `status ${status ?? 'unknown'}`
}

/** '1,204 working, 2 in doubt, 5 dead, 30 unknown. 1 entry has no live mirror.' */
export function countsInWords({
  counts: { ok, suspect, dead, unknown },
  entriesWithoutLiveMirror: lost,
}: Pick<LinksForAdmin, 'counts' | 'entriesWithoutLiveMirror'>): string {
  const number = (count: number): string => count.toLocaleString('en-US')
  const states = [
    `${number(ok)} working`,
    ...(suspect > 0 ? [`${number(suspect)} in doubt`] : []),
    ...(dead > 0 ? [`${number(dead)} dead`] : []),
    ...(unknown > 0 ? [`${number(unknown)} unknown`] : []),
  ]
  const sentence = `${states.join(', ')}.`
  return lost === 0 ? sentence : `${sentence} ${counted(lost, 'entry has', 'entries have')} no live mirror.`
}

const byTrouble: readonly LinkState[] = ['dead', 'suspect', 'unknown', 'ok']

/** The link of an entry that says most of its state: the worst one, and of equals the one that was checked last. */
export function tellingLink(links: readonly LinkForAdmin[]): LinkForAdmin | undefined {
  return links.toSorted(
    (a, b) =>
      byTrouble.indexOf(a.state) - byTrouble.indexOf(b.state) || ((a.checkedAt ?? '') < (b.checkedAt ?? '') ? 1 : -1),
  )[0]
}

export function emptySentence(isFiltered: boolean): string {
  return isFiltered
    ? 'No entry has such a link.'
    : 'There are no links yet. They appear here within a minute after an entry is published.'
}
