import { defineError } from '../../../platform/errors.ts'

/** @param reason ends a sentence about the store, for administrators: without its address and keys */
export const storeFailure = defineError({
  code: 'evidence.store',
  status: 503,
  sentence: (reason: string) => `The store of the files of evidence ${reason}. Please try again later.`,
  remedy: 'Send it again later. The operator looks after the bucket of EVIDENCE_URL.',
  retryAfterSeconds: 60,
})

export const lostFile = defineError({
  code: 'evidence.lost',
  status: 404,
  sentence: 'The file is not in the store of the files of evidence any more.',
  remedy: 'The operator puts it back from a backup of the store, under its id.',
})
