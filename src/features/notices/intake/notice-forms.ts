import type { NoticeKind } from '../notice/notice-kinds.ts'
import type { ElementName } from '../notice/notice-elements.ts'

/** The public forms and what each asks (docs/spec/notices.md#forms). Browser-safe. */

/** In the order of their gravity, the gravest first. What each begins: a notice of its kind, or of `consent` for `privacy`. */
export const noticeForms = ['child-safety', 'intimate-image', 'copyright', 'privacy', 'other'] as const
export type NoticeForm = (typeof noticeForms)[number]

export function formPath(form: NoticeForm): string {
  return `/report/${form}`
}

/** The form whose page this is. */
export function formAt(pathname: string): NoticeForm {
  const found = noticeForms.find((form) => pathname.toLowerCase().startsWith(formPath(form)))
  if (found === undefined) throw new Error('There is no form for notices at this path.')
  return found
}

/**
 * What a form may carry besides elements. `sending`: random text of a page, which tells two sendings of it from two notices;
 * `reference` and `jurisdiction` are those of a counter-notice.
 */
export type FieldName = ElementName | 'request' | 'sending' | 'reference' | 'jurisdiction'

/** How something is asked for. `addresses`: several lines, an address on each; `tick`: a statement to agree to. */
type FieldKind = 'line' | 'email' | 'phone' | 'lines' | 'text' | 'addresses' | 'tick' | 'choice'

export interface FormField {
  name: Exclude<FieldName, 'sending'>
  kind: FieldKind
  /** Of a tick the whole statement. */
  label: string
  help?: string
  isRequired: boolean
  /** Does as well in its place. A browser without JavaScript cannot weigh the two: it asks for neither. */
  alternative?: ElementName
  /** What the browser says where it is required and empty. */
  ask: string
  autoComplete?: string
  choices?: readonly { value: string; label: string }[]
}

/** A part of a form under a heading. */
export interface FormPart {
  title: string
  fields: readonly FormField[]
}

export interface FormWords {
  title: string
  /** On the page that leads to all forms. */
  summary: string
  lead: string
  /** What to know before writing, and by when something happens, where the lead does not say it. */
  notes: readonly string[]
  parts: readonly FormPart[]
  /** On the button. */
  send: string
}

/** The values of the choice of the form about personal data. */
export const requests = {
  erase: 'erase',
  consent: 'consent',
} as const

const name: FormField = {
  name: 'name',
  kind: 'line',
  label: 'Your name',
  isRequired: true,
  ask: 'Give your name.',
  autoComplete: 'name',
}
const email: FormField = {
  name: 'email',
  kind: 'email',
  label: 'Your email address',
  help: 'We send the reference and the decision there.',
  isRequired: true,
  ask: 'Give an email address at which we can answer.',
  autoComplete: 'email',
}
const itemUrls: FormField = {
  name: 'itemUrls',
  kind: 'addresses',
  label: 'The address of each entry',
  help: 'One on each line, as it stands in the address bar; at most 50.',
  isRequired: true,
  ask: 'Give the address of at least one entry.',
}
const explanation: FormField = {
  name: 'explanation',
  kind: 'text',
  label: 'What is wrong',
  isRequired: true,
  ask: 'Say in a few words what is wrong.',
}
const signature: FormField = {
  name: 'signature',
  kind: 'line',
  label: 'Your signature',
  help: 'Your full name, typed, counts as your signature.',
  isRequired: true,
  ask: 'Sign with your full name.',
  autoComplete: 'off',
}
const goodFaith: FormField = {
  name: 'goodFaith',
  kind: 'tick',
  label: 'I believe in good faith that what I have written is accurate and complete.',
  isRequired: true,
  ask: 'Tick this statement if it is true.',
}

/** Each asks what its law asks and no more (`neededElements`). */
export const formWords: Record<NoticeForm, FormWords> = {
  'child-safety': {
    title: 'A child at risk',
    summary: 'A person in an entry may be a minor, or a child is in danger.',
    lead: 'Tell us where. Each entry whose address we can find is hidden at once, and a person looks at it within 4 hours.',
    notes: [
      'If a child is in danger at this moment, call the police first.',
      'Do not send or copy the picture itself: its address is enough.',
    ],
    parts: [
      {
        title: 'Where and what',
        fields: [
          itemUrls,
          {
            ...explanation,
            help: 'In a few words, such as: a person in the picture may be a minor.',
          },
        ],
      },
      {
        title: 'You, if you like',
        fields: [
          { ...name, label: 'Your name (optional)', isRequired: false },
          {
            ...email,
            label: 'Your email address (optional)',
            help: 'Without it, the page that you see next is the only way to follow this report.',
            isRequired: false,
          },
        ],
      },
    ],
    send: 'Send report',
  },
  'intimate-image': {
    title: 'An intimate or private image of me',
    summary: 'A private picture of you is here without your consent.',
    lead: 'Each entry whose address we can find is hidden as soon as this form is complete, and decided within 24 hours.',
    notes: ['Do not send the picture itself: its address is enough.'],
    parts: [
      {
        title: 'Where and what',
        fields: [
          itemUrls,
          {
            ...explanation,
            label: 'What it shows, in a few words',
            help: 'Enough to find it, such as: an image of me, published without my consent.',
            ask: 'Say in a few words what it shows.',
          },
        ],
      },
      {
        title: 'How we reach you',
        fields: [
          { ...name, label: 'Your name (optional)', isRequired: false },
          {
            ...email,
            alternative: 'phone',
            help: 'Or leave it empty and give a telephone number.',
            ask: 'Give an email address or a telephone number.',
          },
          {
            name: 'phone',
            kind: 'phone',
            label: 'Your telephone number',
            help: 'Needed only where you give no email address.',
            isRequired: false,
            ask: 'Give an email address or a telephone number.',
            autoComplete: 'tel',
          },
        ],
      },
      {
        title: 'What you declare',
        fields: [
          {
            ...goodFaith,
            label: 'I believe in good faith that the image was published without the consent of the person it shows.',
          },
          {
            ...signature,
            help: 'Your full name, typed, counts. Whoever acts for the person shown signs and says so above.',
          },
        ],
      },
    ],
    send: 'Send notice',
  },
  copyright: {
    title: 'Copyright',
    summary: 'An entry uses a work that is yours, or of somebody you act for, without permission.',
    lead: 'A notice under 17 U.S.C. 512(c)(3). It needs all that is asked here.',
    notes: [
      'We look at it within one business day. What is undecided 3 days after the notice was complete is hidden until it is decided.',
      'What you send may be passed on to whoever is concerned. Whoever knowingly says what is untrue may be liable for damages.',
    ],
    parts: [
      {
        title: 'The work and the entries',
        fields: [
          {
            name: 'workDescription',
            kind: 'text',
            label: 'The work that is yours',
            help: 'Its title, its author, and where it was published; of several works a list.',
            isRequired: true,
            ask: 'Describe the work that is yours.',
          },
          itemUrls,
        ],
      },
      {
        title: 'How we reach you',
        fields: [
          { ...name, label: 'Your full name' },
          {
            name: 'organization',
            kind: 'line',
            label: 'Organization (optional)',
            help: 'Whom you act for, if not for yourself.',
            isRequired: false,
            ask: '',
            autoComplete: 'organization',
          },
          {
            name: 'address',
            kind: 'lines',
            label: 'Your postal address',
            isRequired: true,
            ask: 'Give your postal address.',
            autoComplete: 'street-address',
          },
          {
            name: 'phone',
            kind: 'phone',
            label: 'Your telephone number',
            isRequired: true,
            ask: 'Give your telephone number.',
            autoComplete: 'tel',
          },
          email,
        ],
      },
      {
        title: 'What you declare',
        fields: [
          {
            ...goodFaith,
            label:
              'I believe in good faith that this use of the work is not authorized by the owner of the copyright, its agent, or the law.',
          },
          {
            name: 'accuracy',
            kind: 'tick',
            label: 'The information in this notice is accurate.',
            isRequired: true,
            ask: 'Tick this statement if it is true.',
          },
          {
            name: 'perjury',
            kind: 'tick',
            label:
              'Under penalty of perjury: I am the owner of an exclusive right that is said to be infringed, or authorized to act for the owner.',
            isRequired: true,
            ask: 'Tick this statement if it is true.',
          },
          signature,
        ],
      },
    ],
    send: 'Send notice',
  },
  privacy: {
    title: 'My personal data',
    summary: 'An entry holds personal data about you, or shows or names you and you no longer consent.',
    lead: 'Tell us what we hold about you and what we are to do.',
    notes: [
      'We decide within 7 days. Where you withdraw your consent, the entry is hidden within 24 hours and decided within 5 business days.',
    ],
    parts: [
      {
        title: 'What you ask for',
        fields: [
          {
            name: 'request',
            kind: 'choice',
            label: 'What do you ask for?',
            isRequired: true,
            ask: 'Choose what you ask for.',
            choices: [
              { value: requests.erase, label: 'Take personal data about me off this site' },
              {
                value: requests.consent,
                label: 'I am shown or named in an entry, and I withdraw my consent to be',
              },
            ],
          },
          itemUrls,
          {
            ...explanation,
            label: 'What it is about',
            help: 'Which data about you, or where you are shown or named.',
            ask: 'Say in a few words what it is about.',
          },
        ],
      },
      {
        title: 'How we reach you',
        fields: [name, email],
      },
    ],
    send: 'Send request',
  },
  other: {
    title: 'Something else illegal',
    summary: 'An entry breaks the law in another way.',
    lead: 'Say what breaks the law, where, and why.',
    notes: ['We decide within 5 business days.'],
    parts: [
      {
        title: 'Where and why',
        fields: [
          itemUrls,
          {
            ...explanation,
            label: 'Why it is illegal',
            help: 'What exactly you mean, and what makes it illegal.',
            ask: 'Say why it is illegal.',
          },
          {
            name: 'lawCited',
            kind: 'line',
            label: 'The law that it breaks (optional)',
            help: 'Such as a statute with its section, or the judgment of a court.',
            isRequired: false,
            ask: '',
            autoComplete: 'off',
          },
        ],
      },
      {
        title: 'You',
        fields: [
          {
            ...name,
            label: 'Your name (optional)',
            help: 'Give it where you can: a notice with a name weighs more.',
            isRequired: false,
          },
          {
            ...email,
            label: 'Your email address (optional)',
            help: 'Without it, the page that you see next is the only way to learn what we decide.',
            isRequired: false,
          },
        ],
      },
      { title: 'What you declare', fields: [goodFaith] },
    ],
    send: 'Send notice',
  },
}

/** The same for every notice: whether there is an entry at an address is not told, for it may be one of VIPs. */
const byHand = 'What we cannot find by its address we look for by hand.'
const hiddenAtOnce = `Each entry whose address we can find is hidden from now on; when very many come at once, a person looks before it is hidden. ${byHand}`

/** What is known and by when, for whoever has sent a notice of this kind. */
export function whatHappens(kind: NoticeKind, isComplete: boolean): string {
  switch (kind) {
    case 'child-safety':
      return `${hiddenAtOnce} A person who is responsible for this looks at it within 4 hours.`
    case 'intimate-image':
      return isComplete
        ? `${hiddenAtOnce} We decide within 24 hours; what is hidden and undecided after 44 hours is removed.`
        : `As soon as what is missing is there, each entry whose address we can find is hidden. ${byHand} We decide within 24 hours; what is hidden and undecided after 44 hours is removed.`
    case 'consent':
      return `Each entry whose address we can find is hidden within 24 hours, and we decide within 5 business days. ${byHand}`
    case 'copyright':
      return isComplete
        ? 'We look at it within one business day. What is undecided after 3 days is hidden until it is decided.'
        : 'As soon as what is missing is there, we look at it within one business day.'
    case 'privacy':
      return 'We decide within 7 days.'
    case 'other':
      return 'We decide within 5 business days.'
  }
}

/** The fields of a form in their order. */
export function fieldsOf(form: NoticeForm): FormField[] {
  return formWords[form].parts.flatMap(({ fields }) => fields)
}

/** Where the elements of a notice of this kind are asked for. */
export function formOfKind(kind: NoticeKind): NoticeForm {
  return kind === 'consent' ? 'privacy' : kind
}
