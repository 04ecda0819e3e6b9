import { defineError } from '../../platform/errors.ts'

/** Shared by the errors of requests that the server cannot read. */
export const unreadable = {
  code: 'request.unreadable',
  remedy: 'Send a well-formed HTTP/1.1 request, whole and without delay.',
}

/** A request that the server cannot read. */
export const unreadableRequest = defineError({
  ...unreadable,
  status: 400,
  sentence: 'This is not a request that the server can read.',
})

/** A request, or a part of it, that takes too long. */
export const slowRequest = defineError({
  ...unreadable,
  status: 408,
  sentence: 'The request did not arrive in time. Please try again.',
})
