import { AppError } from '../../../platform/errors.ts'

/** @param reason ends a sentence about the store, for administrators: without its address and keys */
export function storeFailure(reason: string, cause?: unknown): AppError {
  return new AppError({
    code: 'evidence.store',
    status: 503,
    message: `The store of the files of evidence ${reason}. Please try again later.`,
    retryAfterSeconds: 60,
    cause,
  })
}

export function lostFile(): AppError {
  return new AppError({
    code: 'evidence.lost',
    status: 404,
    message: 'The file is not in the store of the files of evidence any more.',
  })
}
