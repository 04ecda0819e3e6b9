export const requestsPath = '/recommendations'
export const openPath = `${requestsPath}/open`
export const ownPath = `${requestsPath}/mine`
export const inquiriesPath = '/api/inquiries'

/** Carries the title of a search without a result. */
export const titleParameter = 'title'

/** The part of the address of /admin/support that says which inquiries it lists. */
export function searchOfInquiries({ state, email }: { state: string; email: string }): string {
  return new URLSearchParams({
    ...(state === 'open' ? {} : { state }),
    ...(email === '' ? {} : { email }),
  }).toString()
}

export interface WantedRequests {
  status: string
  /** Only those whose authors have no account any more. */
  isOfNobody: boolean
}

/** The part of an address that says which requests administrators list: that of the page, and that of the call. */
export function searchOfRequests({ status, isOfNobody }: WantedRequests): string {
  return new URLSearchParams({
    ...(status === '' ? {} : { status }),
    ...(isOfNobody ? { author: 'none' } : {}),
  }).toString()
}
