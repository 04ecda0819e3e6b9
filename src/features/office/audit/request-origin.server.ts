import { networkOf } from '../../../platform/client-address.ts'
import { currentRequest } from '../../../platform/current-request.ts'

/** The origin of an event: the network of the caller, never their whole address, and the id of their request. */
export interface RequestOrigin {
  address?: string
  requestId?: string
}

/** The origin of the request that is being answered, as events of security carry it; nothing outside of a request. */
export function requestOrigin(): RequestOrigin {
  const request = currentRequest()
  if (request === undefined) return {}
  const address = networkOf(request.address)
  return { ...(address === undefined ? {} : { address }), requestId: request.requestId }
}
