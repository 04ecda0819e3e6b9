import { readFile } from 'node:fs/promises'
import type { MembershipConfig } from '../membership-config.server.ts'
import type { FirstStep } from '../../office/contributions.ts'
import type { DeclaredText, TextFacts } from '../../office/texts/site-text.ts'
import { blocksIn, type TextBlock } from '../../office/texts/text-blocks.ts'
import type { MembershipApp } from '../app.ts'
import { moneyInWords } from '../plans/format-money.ts'
import { plans } from '../plans/plans.ts'

const maxLength = 40_000

/**
 * The operator's terms and privacy policy, as texts that administrators may change. Their first values come from the
 * files that the settings name; where they name none, they are drafts.
 */
export async function declareLegalTexts({
  termsFile,
  privacyFile,
}: Pick<MembershipConfig, 'termsFile' | 'privacyFile'>): Promise<DeclaredText[]> {
  const read = async (file: string | undefined): Promise<string | undefined> =>
    file === undefined ? undefined : readFile(file, 'utf8')
  const [terms, privacy] = await Promise.all([read(termsFile), read(privacyFile)])
  return [
    {
      key: 'legal.terms',
      label: 'Terms of Service',
      help: 'On the page /terms, where the footer leads.',
      group: 'Legal',
      kind: 'document',
      maxLength,
      first: (config) => (terms ?? termsDraft(config)).trim(),
    },
    {
      key: 'legal.privacy',
      label: 'Privacy Policy',
      help: 'On the page /privacy, where the footer leads.',
      group: 'Legal',
      kind: 'document',
      maxLength,
      first: (config) => (privacy ?? privacyDraft(config)).trim(),
    },
  ]
}

interface LegalText {
  title: string
  /** Not the operator's own yet: the page says so. */
  isDraft: boolean
  blocks: TextBlock[]
}

export class LegalTexts {
  readonly #app: Pick<MembershipApp, 'config' | 'texts'>

  constructor(app: Pick<MembershipApp, 'config' | 'texts'>) {
    this.#app = app
  }

  get terms(): LegalText {
    return this.#read('legal.terms', 'Terms of Service', this.#app.config.termsFile)
  }

  get privacy(): LegalText {
    return this.#read('legal.privacy', 'Privacy Policy', this.#app.config.privacyFile)
  }

  #read(key: 'legal.terms' | 'legal.privacy', title: string, file: string | undefined): LegalText {
    const { texts } = this.#app
    return { title, isDraft: file === undefined && !texts.isChanged(key), blocks: blocksIn(texts.get(key)) }
  }
}

/** Whether terms and privacy policy are the operator's own. */
export function readLegalStep({ legalTexts }: Pick<MembershipApp, 'legalTexts'>): FirstStep {
  const drafts = [legalTexts.terms, legalTexts.privacy].filter(({ isDraft }) => isDraft).map(({ title }) => title)
  return {
    title: 'Write your terms and privacy policy',
    isDone: drafts.length === 0,
    help: drafts.length === 0 ? 'Both are your own.' : `Still drafts of the software: ${drafts.join(', ')}.`,
    to: '/admin/texts',
  }
}

function termsDraft({ brandName: brand, contactEmail: contact }: TextFacts): string {
  const { monthly, annual } = plans
  const prices = [monthly, annual].map((plan) => `${moneyInWords(plan.priceCents, plan.currency)} a ${plan.interval}`)
  return `
${brand} is a library of works that its operator has the right to distribute. By creating an account you agree to these terms.

# Your account

You give a true address, keep your password to yourself, and use your account alone. You can delete it at any time on your account page.

# Membership and payment

VIP membership is sold as a subscription: ${prices.join(', or ')}. It begins with the payment, renews by itself at the end of each period, and is charged to the card that you have given to the payment service. We never see the number of your card.

You can cancel at any time in the billing portal, which your account page leads to. What you have paid for stays yours until the end of the period. If a renewal cannot be charged, you keep your access for some days and are told by mail.

If you are a consumer, you may have a right to withdraw from the purchase under the law of your country. Write to ${contact}.

# What you may do with the works

Each work names its rights and its licence. You may use it as that licence allows, and no further.

# What is not allowed

- Passing on your account, or downloads that are for members only
- Attacking the site, or burdening it with automatic requests
- Anything that breaks the law

# Notices

If you believe that something here infringes a right, write to ${contact}; the footer has the address for copyright notices.
`
}

function privacyDraft({
  brandName: brand,
  contactEmail: contact,
  auditDays,
  noticeDays,
  supportFormUrl,
  gateway,
}: TextFacts): string {
  const formService =
    supportFormUrl === undefined
      ? ''
      : ` What you write on the support page, with your name and address, goes to the form service at ${new URL(supportFormUrl).host}.`
  const hasAds = gateway.provider === 'linkvertise'
  const adService = hasAds
    ? ' Free downloads go through pages of Linkvertise (link-to.net). They show ads, and Linkvertise learns your network address and which download you asked for.'
    : ''
  const tracking = hasAds ? 'There is no tracking on our pages' : 'There is no advertising and no tracking'
  return `
What ${brand} stores about you, why, and for how long.

# What is kept

- About your account: your name, your email address, a digest of your password, and when you registered
- About your sessions: when you signed in, and what your browser calls itself, so that you can recognise and end them
- About your devices: a digest of a random secret that your browser holds in a cookie once you have signed in, and what your browser calls itself, so that a stranger's wrong guesses at your password do not lock you out, and so that we can tell you of a sign-in from a new device
- About your second factor, if you add one: the public keys of your passkeys with the names that you give them, the secret of your authenticator app, digests of your recovery codes, and when each was last used
- About your app passwords and private feeds, if you make them: digests of their secrets, the names that you give the passwords, when each was made, and the hour of its last use
- About your payments: what you paid and when, and the payment service's reference numbers; only the payment service knows the card itself
- About your checkouts: for up to two days, the entry whose page led you to the plans, so that purchases can be counted by entry; the count does not name you
- About your reading, each for you alone: the entries that you save; the last download of each link that you begin while you are signed in, which you can clear and switch off; when you were last here, so that you see what is new since; and the searches that you save, with the hour and the time zone of their digests
- About your requests: the works that you have asked for, and your votes for those of others
- About your inquiries: your name, your address, what you wrote to us, and our answers
- About your notices about content: what you gave in the form, and for 14 days the beginning of the network address that it came from
- About our work for you: notes that administrators make about your account; they are in the data you can download
- In the audit log: when you signed in or changed your password, and what was done to your account, when and by whom; a number stands for your name
- In the log of the server: technical facts of failed and slow requests

# Who else sees it

The payment service, Stripe, learns your name and your address when you buy. Mail goes through the mail server of the operator.${formService}${adService} Nobody else. ${tracking}, and no page loads anything from another site.

# How long

Your account stays until you delete it, which you can do on your account page at any time. Records of payments stay for as long as the law asks for, without your name. Sessions end after 30 days at the latest; a device is forgotten a year after your last sign-in there, or when you say so under Security and data on your account page. Passkeys, authenticator app and recovery codes stay until you remove them. App passwords and private feeds stay until you end them or change your password. Your saved entries, searches and your last visit stay until you remove them or delete your account; a download is forgotten after 400 days, or when you clear your history. Digests by email are sent only if you ask for them, and each ends with one click. Notes, votes and inquiries go with your account; your requests stay without your name. An inquiry that was sent without an account is deleted 400 days after it was closed. Of a notice that you sent, your postal address, your telephone number and your signature are deleted ${noticeDays.toLocaleString('en-US')} days after it was settled; the rest stays as the record of what was decided. Events of the audit log are deleted after ${auditDays.toLocaleString('en-US')} days, also when your account is deleted before; they hold no name, and of the network address of a sign-in only its beginning, shared with many others. When you change your address, a keyed code of the one before stays with your account. If VIP access was disabled for your account, or a disputed payment has not been looked at, a keyed code of your address outlives the account for as long as that lasts: the address cannot be read from it, and it is used only to recognise the address when an account is created with it.

# Your rights

You can delete your account on your account page, and download your data under Security and data there. For anything else write to ${contact}.
`
}
