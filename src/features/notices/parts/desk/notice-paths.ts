import { assignedFilters, queueStates, type QueueState } from '../../desk/desk-schema.ts'
import { noticeKinds, type NoticeKind } from '../../notice/notice-kinds.ts'

export const noticesPath = '/api/notices'

export function noticePath(reference: string, verb?: string): string {
  const path = `${noticesPath}/${encodeURIComponent(reference)}`
  return verb === undefined ? path : `${path}/${verb}`
}

export function casePath(reference: string): string {
  return `/admin/notices/${encodeURIComponent(reference)}`
}

/** The filters of the queue, as the address of its page holds them. */
export interface WantedNotices {
  state: QueueState
  /** Empty for all. */
  kind: NoticeKind | ''
  search: string
  /** The reference of a notice whose network they came from; empty for all. */
  network: string
  assigned: (typeof assignedFilters)[number]
}

export function readWanted(search: string): WantedNotices {
  const requested = new URLSearchParams(search)
  return {
    state: queueStates.find((one) => one === requested.get('state')) ?? 'open',
    kind: noticeKinds.find((one) => one === requested.get('kind')) ?? '',
    search: (requested.get('search') ?? '').trim(),
    network: requested.get('network') ?? '',
    assigned: assignedFilters.find((one) => one === requested.get('assigned')) ?? 'all',
  }
}

/** The part of an address that says what is wanted: that of the page, and that of the call. */
export function searchOfNotices({ state, kind, search, network, assigned }: WantedNotices): string {
  return new URLSearchParams({
    ...(state === 'open' ? {} : { state }),
    ...(kind === '' ? {} : { kind }),
    ...(search === '' ? {} : { search }),
    ...(network === '' ? {} : { network }),
    ...(assigned === 'all' ? {} : { assigned }),
  }).toString()
}

export function sameNetworkPath(reference: string): string {
  return `/admin/notices?${searchOfNotices({ state: 'open', kind: '', search: '', network: reference, assigned: 'all' })}`
}

export function queuePath(wanted: WantedNotices): string {
  const search = searchOfNotices(wanted)
  return search === '' ? noticesPath : `${noticesPath}?${search}`
}
