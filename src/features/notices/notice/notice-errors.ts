import { AppError } from '../../../platform/errors.ts'

/** For references that nobody has, and for those that this caller may not know of: the two answer alike. */
export function noSuchNotice(): AppError {
  return new AppError({ code: 'notice.not_found', status: 404, message: 'There is no such notice.' })
}

/** The notice has no counter-notice of this id. */
export function noSuchCounterNotice(): AppError {
  return new AppError({
    code: 'notice.counter_notice_not_found',
    status: 404,
    message: 'There is no such counter-notice.',
  })
}

/** Somebody has attached or refused it meanwhile, or it can only be refused. */
export function settledCounterNotice(message: string): AppError {
  return new AppError({ code: 'notice.counter_notice_settled', status: 409, message })
}

/** Somebody has changed it since it was read. The desk's answer adds it as it is, as `current`. */
export function noticeConflict(): AppError {
  return new AppError({
    code: 'notice.conflict',
    status: 409,
    message: 'Somebody else has changed this notice meanwhile. Look at it as it is now, and try again.',
  })
}

/** The state of the notice does not allow it. */
export function refusedTransition(sentence: string): AppError {
  return new AppError({ code: 'notice.transition', status: 409, message: sentence })
}

/** A field of what was sent cannot be meant. */
export function invalidNotice(field: string, message: string): AppError {
  return new AppError({ code: 'notice.invalid', status: 422, message, field })
}
