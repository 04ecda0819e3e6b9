import type { ErrorCode } from './error-code.ts'

const later = 'Send the request again after the seconds of the header Retry-After.'

/** The errors of the server itself, whatever the feature. */
export const serverErrorCodes: readonly ErrorCode[] = [
  {
    code: 'admin.key',
    status: 401,
    sentences: ["The header admin-key must hold the administrator's key."],
    remedy: 'Send the header admin-key with the key of the administrator whose session it is.',
  },
  {
    code: 'admin.only',
    status: 403,
    sentences: ['You are not an administrator to access this page.'],
    remedy: 'Sign in as an administrator.',
  },
  {
    code: 'body.json',
    status: 400,
    sentences: ['The body of the request is not a JSON object.'],
    remedy: 'Send a JSON object in UTF-8.',
  },
  {
    code: 'body.too_large',
    status: 413,
    sentences: [
      'The request is larger than …. Send less at once.',
      'The form has more than … fields. Send fewer at once.',
    ],
    remedy: 'Keep below the limit that the sentence and the description of the route name.',
  },
  {
    code: 'body.type',
    status: 415,
    sentences: [
      'Send JSON, with the header content-type: application/json.',
      'Send a form, with the header content-type: application/x-www-form-urlencoded.',
    ],
    remedy: 'Send the body and the header content-type that the sentence names.',
  },
  {
    code: 'client.key',
    status: 401,
    sentences: ["The header api-key must hold the site's public client key."],
    remedy: 'Send the header api-key. The key is public: CLIENT_API_KEY of the settings.',
  },
  {
    code: 'database.busy',
    status: 503,
    sentences: [
      'The database is too busy at the moment. Please try again in a minute.',
      'The database is too busy at the moment: this was not done. Please try again in a minute.',
    ],
    remedy: later,
  },
  {
    code: 'database.unavailable',
    status: 503,
    sentences: [
      'The database does not answer at the moment. Please try again in a minute.',
      'The database stopped answering while this was under way, and it may have been done. Please look in a minute before you try again.',
    ],
    remedy: 'Where the answer has "outcome": "unknown", look whether it was done. Otherwise send the request again.',
  },
  {
    code: 'disk.full',
    status: 503,
    sentences: ['Nothing can be saved at the moment, because the disk of the site is full. Please try again later.'],
    remedy: 'The operator makes room; reading goes on.',
  },
  {
    code: 'host.unknown',
    status: 421,
    sentences: [
      'This site answers at localhost only. To reach it under another name, its operator sets PUBLIC_URL to that address.',
    ],
    remedy: 'Ask it at localhost, or set PUBLIC_URL and start it again.',
  },
  {
    code: 'internal',
    status: 500,
    sentences: ['Something went wrong on our side. Please try again.'],
    remedy: 'A defect. Tell the operator the header x-request-id of the answer: the log has the reason under it.',
  },
  {
    code: 'limit.exceeded',
    status: 429,
    sentences: ['Too many attempts. Please try again in ….'],
    remedy: later,
  },
  {
    code: 'member.only',
    status: 403,
    sentences: ['You are not a member to access this page.'],
    remedy: 'Sign in as a member.',
  },
  {
    code: 'method.not_allowed',
    status: 405,
    sentences: ['This address cannot be asked with …, only with ….'],
    remedy: 'Use a method of the header Allow.',
  },
  {
    code: 'not_found',
    status: 404,
    sentences: ['There is nothing at this address.'],
    remedy: 'Compare the address with the list of routes.',
  },
  {
    code: 'origin.foreign',
    status: 403,
    sentences: ['This request comes from a page of another site. Open this site itself, and try again.'],
    remedy: 'Pages of other sites cannot call the interface from a browser. Programs send no header Origin.',
  },
  {
    code: 'proof.needed',
    status: 403,
    sentences: ['Please confirm who you are, and try again. Nothing was changed.'],
    members: { withinMinutes: 'how old the proof may be, in minutes.' },
    remedy:
      'Prove who you are, with the current password for example, then send the same request again. The token stays.',
  },
  {
    code: 'report.invalid',
    status: 400,
    sentences: ['This is no report of a browser.'],
    remedy: 'Send what browsers send to the addresses of report-uri and report-to.',
  },
  {
    code: 'request.invalid',
    status: 422,
    sentences: ['…'],
    remedy: 'Correct the field that the answer names; the sentence says what is allowed.',
  },
  {
    code: 'request.unreadable',
    status: [400, 408, 413, 417, 431],
    sentences: [
      'This is not a request that the server can read.',
      'The request did not arrive in time. Please try again.',
      'The request is too large.',
      'The server makes no promises before it has a request: send it without the header Expect.',
      'The headers of the request are too large.',
    ],
    remedy: 'Send a well-formed HTTP/1.1 request, whole and without delay.',
  },
  {
    code: 'session.missing',
    status: 401,
    sentences: ['Please sign in first.'],
    remedy: 'Send the header authorization: Bearer with the token of a session.',
  },
  {
    code: 'site.busy',
    status: 503,
    sentences: ['Very many people ask for something at this moment. Please try again in a few seconds.'],
    remedy: later,
  },
  {
    code: 'vip.only',
    status: 403,
    sentences: ['You are not a VIP to access this page.'],
    remedy: 'Sign in as a member with a plan.',
  },
]
