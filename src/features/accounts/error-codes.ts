import type { ErrorCode } from '../../http/docs/error-code.ts'

export const accountErrorCodes: readonly ErrorCode[] = [
  {
    code: 'account.exists',
    status: 409,
    sentences: ['An account with this email already exists.'],
    remedy: 'Sign in with this address, or ask for a new password.',
  },
  {
    code: 'account.invalid',
    status: 422,
    sentences: ['The field … must be a text.', 'The field … must be true or false.', '…'],
    remedy: 'Correct the field that the answer names; the sentence says which of its rules is not kept.',
  },
  {
    code: 'account.last_admin',
    status: 409,
    sentences: ['… the last administrator. Make somebody else an administrator first.'],
    remedy: 'Make somebody else an administrator first.',
  },
  {
    code: 'account.no_password',
    status: 409,
    sentences: ['… has not set a password yet. Send the invitation again, and wait until they have.'],
    remedy: 'Wait until the member has set a password by the link of their invitation.',
  },
  {
    code: 'account.not_found',
    status: 404,
    sentences: ['No administrator has the address ….'],
    remedy: 'Compare the address with the list of the command.',
    isOfCommand: true,
  },
  {
    code: 'account.other',
    status: 403,
    sentences: ['You can delete only your own account.', 'This is not the address of the member. Nothing was deleted.'],
    remedy: 'Name the address of the account whose session it is.',
  },
  {
    code: 'member.unknown',
    status: 404,
    sentences: ['There is no such member, or no longer.'],
    remedy: 'Find the member by name or address.',
  },
  {
    code: 'note.conflict',
    status: 409,
    sentences: ['Somebody else has changed this note meanwhile. Both are shown: keep what is right, and save again.'],
    members: { current: 'the note as it is now, with its version.' },
    remedy: 'Look at the current note of the answer, and send the note with its version.',
  },
  {
    code: 'passwords.busy',
    status: 503,
    sentences: ['Too many people are signing in at this moment. Please try again in a few seconds.'],
    remedy: 'Send the request again after the seconds of the header Retry-After.',
  },
  {
    code: 'reset.invalid',
    status: 400,
    sentences: ['This link is not valid any more. Please ask for a new one.'],
    remedy: 'Ask for a new link: each works once, for a limited time, and a new one ends those before it.',
  },
  {
    code: 'session.invalid',
    status: 401,
    sentences: ['Your session is not valid. Please sign in again.'],
    remedy:
      'Sign in again. Public routes, too, refuse the token of a session that has ended: send none, or a living one.',
  },
  {
    code: 'session.not_found',
    status: 404,
    sentences: ['This session has already ended.'],
    remedy: 'Nothing: it is gone already.',
  },
  {
    code: 'session.other',
    status: 403,
    sentences: ['The token in the request is not the one of your session. Please sign in again.'],
    remedy: 'Put the token of the header authorization into the body.',
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
  {
    code: 'sign_in.failed',
    status: 401,
    sentences: ['Invalid email or password.'],
    remedy: 'Correct the address or the password. The answer does not tell which of them is wrong.',
  },
  {
    code: 'sign_in.weak_password',
    status: 403,
    sentences: [
      "You administer this site now, and your password is too weak for that. Choose one of at least 12 characters with 'Forgot password', then sign in.",
    ],
    remedy: 'Set a stronger password by the link of POST /forgot-password, then sign in with it.',
  },
]
