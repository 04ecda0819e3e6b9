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
    code: 'account.last_safety_officer',
    status: 409,
    sentences: ['… the last safety officer. Name another safety officer first.'],
    remedy: 'Name another administrator as safety officer first.',
  },
  {
    code: 'safety.officer',
    status: 403,
    sentences: [
      'Nobody names themselves as a safety officer. Another safety officer does, or the command admin safety-officer.',
      'Only a safety officer names another. The command admin safety-officer does, too.',
      'Safety officers give up mark, role and account themselves. For them, the operator does: admin safety-officer EMAIL --remove.',
    ],
    remedy: 'Ask the safety officer, or run the command `admin safety-officer`.',
  },
  {
    code: 'account.not_admin',
    status: 409,
    sentences: ['… is no administrator. Only an administrator can be a safety officer.'],
    remedy: 'Make the member an administrator first.',
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
    sentences: ['No administrator has the address ….', 'No safety officer has the address ….'],
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
    code: 'account.unknown',
    status: 404,
    sentences: ['No account has the address ….'],
    remedy: 'Compare the address with the list of members.',
    isOfCommand: true,
  },
  {
    code: 'device.not_found',
    status: 404,
    sentences: ['This device is already forgotten.'],
    remedy: 'Read the list of devices again.',
  },
  {
    code: 'address.taken',
    status: 409,
    sentences: [
      'Another account has this address by now. Yours stayed as it was: sign in, and choose another address.',
    ],
    remedy: 'Ask for another address with POST /auth/address.',
  },
  {
    code: 'address_link.invalid',
    status: 400,
    sentences: ['This link is not valid any more. Sign in, and send another one from your account page.'],
    remedy: 'Ask for another link: POST /auth/address/confirmation, or POST /auth/address for another address.',
  },
  {
    code: 'factor.last',
    status: 409,
    sentences: ['This is your last second factor, and administrators of this site need one. Add another one first.'],
    remedy: 'Add another passkey or an authenticator app, then remove this one.',
  },
  {
    code: 'factor.needed',
    status: 401,
    sentences: ['Your password is right. This account needs a second factor as well.'],
    members: {
      factors: 'what can be shown: passkey, totp, recovery.',
      passkey: 'the options for the browser, where there is a passkey.',
    },
    remedy: 'Send the same request again, with code or passkey.',
  },
  {
    code: 'factor.none',
    status: 409,
    sentences: ['Add a passkey or an authenticator app first: recovery codes stand in for one.'],
    remedy: 'Add a factor: POST /auth/passkeys/options or POST /auth/totp.',
  },
  {
    code: 'factor.of_administrator',
    status: 409,
    sentences: [
      'The second factor of an administrator is removed on the command line alone: npm run daybook -- account remove-factors EMAIL',
    ],
    remedy: 'Ask the operator, or take the role of an administrator from the member first.',
  },
  {
    code: 'factor.required',
    status: 403,
    sentences: ['Set up a second factor on your account page first. Administrators of this site need one.'],
    remedy: 'Add a passkey or an authenticator app; the role is in force from then on, in the same session.',
  },
  {
    code: 'factor.wrong',
    status: 401,
    sentences: ['That code is wrong or has already been used.', 'This passkey was not accepted. Please try again.'],
    members: {
      factors: 'what can be shown: passkey, totp, recovery.',
      passkey: 'new options for the browser, where there is a passkey.',
    },
    remedy: 'Ask for the next code, or use the new options. Each wrong one counts among those of the account.',
  },
  {
    code: 'passkey.exists',
    status: 409,
    sentences: ['This passkey was added already.'],
    remedy: 'Nothing: it is there already.',
  },
  {
    code: 'passkey.impossible',
    status: 409,
    sentences: ['Passkeys need a site with a name, over https. Use an authenticator app here.'],
    remedy: 'Open the site by its https address, or on http://localhost.',
  },
  {
    code: 'passkey.invalid',
    status: 422,
    sentences: ['This passkey could not be added. Please try again.'],
    remedy:
      'Ask for new options: each are good once, for five minutes, in the session that asked, at the address of the site.',
  },
  {
    code: 'passkey.none',
    status: 409,
    sentences: ['You have no passkey that works here.'],
    remedy: 'Prove who you are with the password or a code.',
  },
  {
    code: 'passkey.not_found',
    status: 404,
    sentences: ['This passkey is already removed.'],
    remedy: 'Read the list of factors again.',
  },
  {
    code: 'passkey.too_many',
    status: 409,
    sentences: ['You have … passkeys already. Remove one that you do not use any more.'],
    remedy: 'Remove a passkey first.',
  },
  {
    code: 'totp.none',
    status: 409,
    sentences: ['No authenticator app is being set up any more. Please begin again.'],
    remedy: 'Ask for a new secret: POST /auth/totp. It lives for 15 minutes, in its session.',
  },
  {
    code: 'totp.not_found',
    status: 404,
    sentences: ['You have no authenticator app.'],
    remedy: 'Read the list of factors again.',
  },
  {
    code: 'totp.wrong',
    status: 422,
    sentences: [
      'That code is not right. Wait for the next one, and check that your phone sets its time automatically.',
    ],
    remedy: 'Ask for the code that the app shows now; its clock may be wrong.',
  },
  {
    code: 'member.unknown',
    status: 404,
    sentences: ['There is no such member, or their account was deleted.'],
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
    code: 'proof.wrong',
    status: 403,
    sentences: [
      'This is not your current password.',
      'That code is wrong or has already been used.',
      'This passkey was not accepted. Please try again.',
    ],
    remedy: "Ask again. Each wrong one counts among the account's wrong passwords or factors.",
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
