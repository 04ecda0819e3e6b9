import type { ErrorCode } from '../../http/docs/error-code.ts'

/** The error codes of the office. */
export const officeErrorCodes: readonly ErrorCode[] = [
  {
    code: 'run.underway',
    status: 409,
    sentences: ['This is being worked on already. Please wait.'],
    remedy: 'Wait until the work under way is done, or cancel it.',
  },
  {
    code: 'text.conflict',
    status: 409,
    sentences: ['Somebody else has saved this text meanwhile. Compare both, and save again.'],
    members: { current: 'the text as it is now.' },
    remedy: 'Compare with the text under `current`, and save with its version.',
  },
  {
    code: 'text.invalid',
    status: 422,
    sentences: [
      '… is required.',
      '… holds characters that cannot be shown.',
      '… has at most … characters.',
      'A line has at most … characters.',
      '… has at most … lines.',
      '… must be an email address like desk@library.example.',
      '… must be an http or https address.',
    ],
    remedy: 'Correct the text; the sentence says which of its rules is not kept.',
  },
  {
    code: 'text.not_found',
    status: 404,
    sentences: ['There is no such text.'],
    remedy: 'Take the key from GET /api/texts.',
  },
]
