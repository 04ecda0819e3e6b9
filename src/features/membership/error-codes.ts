import type { ErrorCode } from '../../http/docs/error-code.ts'

const later = 'Send the request again after the seconds of the header Retry-After.'

/** How the payment service fails without a defect of ours. */
export const stripeErrors = [
  'payments.unavailable',
  'payments.failing',
  'payments.busy',
  'payments.pending',
  'payments.key',
] as const

export const membershipErrorCodes: readonly ErrorCode[] = [
  {
    code: 'account.subscription',
    status: [409, 503],
    sentences: [
      'Your subscription could not be cancelled, because the payment service …. Nothing was deleted. Please try again in a few minutes.',
      'Your subscription cannot be cancelled while payments are switched off here. Nothing was deleted. Write to ….',
      "The member's subscription …",
    ],
    remedy: 'With status 503, send the request again later. With 409, write to the operator.',
  },
  {
    code: 'billing.busy',
    status: 503,
    sentences: ['Another change of this membership is under way. Please try again in a minute.'],
    remedy: later,
  },
  {
    code: 'checkout.blocked',
    status: 403,
    sentences: [
      'A payment of yours was disputed and given back by the bank. Write to … before you buy again.',
      'Purchases are blocked for this account until somebody has looked at it. Write to … before you buy.',
    ],
    remedy: 'Write to the operator: an administrator reviews the dispute.',
  },
  {
    code: 'checkout.disabled',
    status: 403,
    sentences: ['VIP access is disabled for this account, so a plan would give you nothing. Write to ….'],
    remedy: 'Write to the operator.',
  },
  {
    code: 'checkout.disputed',
    status: 403,
    sentences: [
      'A payment of yours is disputed, and access is suspended until the bank has decided. Write to … if that is a mistake.',
    ],
    remedy: 'Wait until the bank has decided.',
  },
  {
    code: 'checkout.invalid',
    status: 422,
    sentences: ['The field … must be a text.'],
    remedy: 'Send the field that the answer names as a text.',
  },
  {
    code: 'checkout.other',
    status: 403,
    sentences: ['You are signed in with another address. Sign in again, then choose your plan.'],
    remedy: 'Send the address of the account whose session it is.',
  },
  {
    code: 'checkout.paying',
    status: 409,
    sentences: ['Another checkout of yours is being paid. Look at your account in a minute.'],
    members: { url: 'the address of the account page.' },
    remedy: 'Open the url of the answer: the account shows what the payment gave.',
  },
  {
    code: 'checkout.pending',
    status: 503,
    sentences: ['Your checkout is still being opened. Nothing was charged. Please try again in a minute.'],
    remedy: later,
  },
  {
    code: 'checkout.plan',
    status: 422,
    sentences: ['Choose a plan: monthly or annual.'],
    remedy: 'Send monthly or annual as planType.',
  },
  {
    code: 'checkout.subscribed',
    status: 409,
    sentences: ['You have a subscription already. Change or cancel it in the billing portal.'],
    members: { url: 'the address of the billing portal.' },
    remedy: 'Open the url of the answer, the billing portal.',
  },
  {
    code: 'checkout.unknown',
    status: 404,
    sentences: ['This payment was not found in your account.'],
    remedy: 'Sign in with the account that paid.',
  },
  {
    code: 'dispute.none',
    status: 409,
    sentences: ['There is no lost dispute to review: this member may buy already.'],
    remedy: 'Nothing.',
  },
  {
    code: 'members.file',
    status: 422,
    sentences: [
      'The file is empty. Its first line must name the columns.',
      'The file has no column ….',
      'The file has a column twice.',
      'The file has columns that are not known here: …. Known are email, name, createdAt, vipUntil, isAdmin.',
      'The file ceases to be CSV: ….',
    ],
    remedy: 'Correct the file and upload it again. Nothing of it was kept.',
  },
  {
    code: 'members.import_reading',
    status: 409,
    sentences: ['The file of this import is still being read, or was never read to its end. Upload it again.'],
    remedy: 'Wait for the answer to the upload, or upload the file again.',
  },
  {
    code: 'members.import_running',
    status: 409,
    sentences: ['This import is under way. Wait until it is done, or stop it.'],
    remedy: 'Ask how far the import is, until it is done, or stop it by POST /api/member-imports/{id}/cancel.',
  },
  {
    code: 'members.import_unknown',
    status: 404,
    sentences: ['There is no such import, or it was deleted.'],
    remedy: 'Upload the file again.',
  },
  {
    code: 'payments.busy',
    status: 503,
    sentences: [
      'The payment service is too busy at the moment. Nothing was charged. Please try again in a few minutes.',
    ],
    remedy: later,
  },
  {
    code: 'payments.failing',
    status: 503,
    sentences: [
      'The payment service answers with an error at the moment. Nothing was charged. Please try again in a few minutes.',
    ],
    remedy: later,
  },
  {
    code: 'payments.key',
    status: 503,
    sentences: [
      'Payments are not set up as they should be at the moment. Nothing was charged. Please try again later.',
    ],
    remedy: 'The operator corrects the key of the payment service; the log says so.',
  },
  {
    code: 'payments.misset',
    status: 503,
    sentences: [
      'Nothing can be bought at the moment: payments are not set up as they should be, and the operator knows. Nothing was charged. Please try again later.',
    ],
    remedy: 'The operator corrects the prices in the settings; the log names what is wrong.',
  },
  {
    code: 'payments.off',
    status: 503,
    sentences: ['…'],
    remedy: 'Nothing is sold here while the operator keeps payments off.',
  },
  {
    code: 'payments.pending',
    status: 503,
    sentences: [
      'The payment service is busy with an earlier request at the moment. Nothing was charged. Please try again in a few minutes.',
    ],
    remedy: later,
  },
  {
    code: 'payments.unavailable',
    status: 503,
    sentences: [
      'The payment service does not answer at the moment. Nothing was charged. Please try again in a few minutes.',
    ],
    remedy: later,
  },
  {
    code: 'payments.untried',
    status: 503,
    sentences: [
      'Nothing can be bought yet: the payment service has not confirmed the prices since this site was started. Nothing was charged. Please try again in a few minutes.',
    ],
    remedy: later,
  },
  {
    code: 'portal.none',
    status: 404,
    sentences: ['There is no subscription to manage yet. Choose a plan first.'],
    remedy: 'Buy a plan first.',
  },
  {
    code: 'vip.subscription',
    status: 503,
    sentences: [
      "The member's subscription could not be cancelled, because the payment service …. Nothing was changed. Please try again in a few minutes.",
      "It is not known whether the member's subscription was cancelled, because the payment service …. The membership was not disabled. Please try again in a few minutes.",
      "The member's subscription cannot be cancelled while payments are switched off here. Nothing was changed. Cancel it at Stripe, or switch payments on.",
    ],
    remedy: 'Send the request again once the payment service answers.',
  },
  {
    code: 'webhook.event',
    status: 400,
    sentences: ["This is not one of Stripe's events."],
    remedy: 'Send an event of Stripe as it came.',
  },
  {
    code: 'webhook.signature',
    status: 400,
    sentences: ['The signature does not prove that this event comes from Stripe, now.'],
    remedy: 'Compare STRIPE_WEBHOOK_SECRET with the secret of the endpoint at Stripe, and the clock of the server.',
  },
]
