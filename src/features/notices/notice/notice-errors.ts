import { defineError } from '../../../platform/errors.ts'

/** For references that nobody has, and for those that this caller may not know of: the two answer alike. */
export const noSuchNotice = defineError({
  code: 'notice.not_found',
  status: 404,
  sentence: 'There is no such notice.',
  remedy: 'Check the reference. Notices about a child at risk are there for safety officers alone.',
})

export const noSuchCounterNotice = defineError({
  code: 'notice.counter_notice_not_found',
  status: 404,
  sentence: 'There is no such counter-notice.',
  remedy: 'Take its id from `counterNotices` of the notice.',
})

/** Somebody has changed it since it was read. The desk's answer adds it as it is, as `current`. */
export const noticeConflict = defineError({
  code: 'notice.conflict',
  status: 409,
  sentence: 'Somebody else has changed this notice meanwhile. Look at it as it is now, and try again.',
  members: { current: 'the notice as it is now.' },
  remedy: 'Look at the notice under `current`, and repeat the call with its version.',
})

export const refusedTransition = defineError({
  code: 'notice.transition',
  status: 409,
  members: { current: 'the notice as it is now.' },
  remedy: 'Look at the notice under `current`: what it is now does not allow the call.',
})

export const invalidNotice = defineError({
  code: 'notice.invalid',
  status: 422,
  remedy: 'Correct the field that the answer names.',
})

export const badNoticeParameter = defineError({
  code: 'notice.parameter',
  status: 400,
  remedy: 'Correct the parameter that the answer names as its field.',
})
