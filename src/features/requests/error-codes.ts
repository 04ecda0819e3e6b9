import type { ErrorCode } from '../../http/docs/error-code.ts'

export const requestErrorCodes: readonly ErrorCode[] = [
  {
    code: 'inquiry.conflict',
    status: 409,
    sentences: ['Somebody else has changed this inquiry meanwhile. Look at it as it is now, and try again.'],
    members: { current: 'the inquiry as it is now.' },
    remedy: 'Look at the inquiry under `current`, and repeat the call with its version.',
  },
  {
    code: 'inquiry.invalid',
    status: 422,
    sentences: [
      'Please fill in all the fields.',
      'The name has at most … characters.',
      'Please give an email address that we can answer.',
      'The inquiry has at most … characters.',
      'The field … must be a text.',
      'Send name, email and message, and nothing else.',
    ],
    remedy: 'Correct what the sentence names.',
  },
  {
    code: 'inquiry.not_found',
    status: 404,
    sentences: ['There is no such inquiry any more.'],
    remedy: 'Read the list again: an inquiry goes with the account that sent it, and 400 days after it was closed.',
  },
  {
    code: 'inquiry.parameter',
    status: 400,
    sentences: [
      'The parameter state must be one of ….',
      'The parameter after must be what the answer before it says is next.',
    ],
    remedy: 'Correct the parameter that the answer names as its field.',
  },
  {
    code: 'recommendation.closed',
    status: 409,
    sentences: ['This request is closed.'],
    remedy: 'Nothing: it was rejected or fulfilled, and takes no votes any more.',
  },
  {
    code: 'recommendation.daily_limit',
    status: 429,
    sentences: ['You can make … new requests a day. Votes for others are not limited by that.'],
    remedy: 'Wait as long as `Retry-After` says.',
  },
  {
    code: 'recommendation.decided',
    status: 409,
    sentences: ['This request was already ….'],
    members: { current: 'the request as it is now.' },
    remedy: 'Nothing: a request is decided once.',
  },
  {
    code: 'recommendation.invalid',
    status: 422,
    sentences: [
      'Title is required',
      'The title has at most … characters.',
      'The description has at most … characters.',
      'The field … must be a text.',
      'Send title and description, and nothing else.',
    ],
    remedy: 'Correct the field that the answer names.',
  },
  {
    code: 'recommendation.item',
    status: 422,
    sentences: ['There is no published entry of this kind. Choose one from the list.'],
    remedy: 'Take the id from GET /recommendations/items.',
  },
  {
    code: 'recommendation.not_approved',
    status: 409,
    sentences: ['Only an approved request can be linked to an entry. This one is ….'],
    members: { current: 'the request as it is now.' },
    remedy: 'Approve the request first.',
  },
  {
    code: 'recommendation.not_found',
    status: 404,
    sentences: ['There is no such request any more.'],
    remedy: 'Read the list again.',
  },
  {
    code: 'recommendation.own_vote',
    status: 409,
    sentences: ['Your own request counts as your vote.'],
    remedy: 'Nothing: who asks for something also votes for it.',
  },
  {
    code: 'recommendation.parameter',
    status: 400,
    sentences: [
      'The parameter … must be one of ….',
      'The parameter … must be a whole number from 1 to ….',
      'The parameter before must be the id of a request.',
      'The parameter after must be what the answer before it says is next.',
      '… must be a text of at most 200 characters.',
    ],
    remedy: 'Correct the parameter that the answer names as its field.',
  },
]
