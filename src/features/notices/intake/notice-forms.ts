import type { NoticeKind } from '../notice/notice-kinds.ts'
import type { ElementName } from '../notice/notice-elements.ts'

/** The public forms and what each asks (docs/spec/notices.md#forms). Browser-safe. */

/** The gravest first. Each begins a notice of its kind, `privacy` also one of `consent`. */
export const noticeForms = ['child-safety', 'intimate-image', 'copyright', 'privacy', 'other'] as const
export type NoticeForm = (typeof noticeForms)[number]

export function formPath(form: NoticeForm): string {
  return `/report/${form}`
}

/** The other way for a matter that cannot wait, where a limit is reached: the words before and after the operator's address. */
export function urgentWords(form?: NoticeForm): readonly [before: string, after: string] {
  const after =
    form === 'child-safety'
      ? '. If a child is in danger, call the police or the child protection hotline of your country now.'
      : form === 'intimate-image'
        ? ' and give the address of the entry. If somebody threatens you, call the police.'
        : '.'
  return ['If this cannot wait, write to ', after]
}

export function formAt(pathname: string): NoticeForm {
  const found = noticeForms.find((form) => pathname.toLowerCase().startsWith(formPath(form)))
  if (found === undefined) throw new Error('There is no form for notices at this path.')
  return found
}

/**
 * Fields beside the elements. `sending`: random text of a page that tells two sendings from two notices; `incomplete`:
 * `yes` if the sender knows that something is missing; `reference` and `jurisdiction` belong to a counter-notice.
 */
export type NoticeFieldName = ElementName | 'request' | 'sending' | 'incomplete' | 'reference' | 'jurisdiction'

/** How something is asked for. `addresses`: several lines, an address on each; `tick`: a statement to agree to. */
type FieldKind = 'line' | 'email' | 'phone' | 'lines' | 'text' | 'addresses' | 'tick' | 'choice'

export interface FormField {
  name: Exclude<NoticeFieldName, 'sending' | 'incomplete'>
  kind: FieldKind
  /** For a tick, the whole statement. */
  label: string
  help?: string
  isRequired: boolean
  /** Any one of these does; without JavaScript a browser requires none. */
  alternatives?: readonly ElementName[]
  /** The browser's message if it is required and empty. */
  ask: string
  autoComplete?: string
  choices?: readonly { value: string; label: string }[]
}

export interface FormPart {
  title: string
  fields: readonly FormField[]
}

export interface FormWords {
  title: string
  /** On the page that leads to all forms. */
  summary: string
  lead: string
  /** Advice before writing, and the deadlines that the lead does not name. */
  notes: readonly string[]
  parts: readonly FormPart[]
  /** On the button. */
  send: string
}

export const requests = {
  erase: 'erase',
  consent: 'consent',
} as const

const name: FormField = {
  name: 'name',
  kind: 'line',
  label: 'Your name',
  isRequired: true,
  ask: 'Enter your name.',
  autoComplete: 'name',
}
const email: FormField = {
  name: 'email',
  kind: 'email',
  label: 'Your email address',
  help: 'We send the reference and our decision there.',
  isRequired: true,
  ask: 'Enter an email address where we can reach you.',
  autoComplete: 'email',
}
const itemUrls: FormField = {
  name: 'itemUrls',
  kind: 'addresses',
  label: 'Address of each entry',
  help: 'Copy it from the address bar of your browser. One per line, up to 50.',
  isRequired: true,
  ask: 'Enter the address of at least one entry.',
}
const explanation: FormField = {
  name: 'explanation',
  kind: 'text',
  label: 'What is wrong',
  isRequired: true,
  ask: 'Write in a few words what is wrong.',
}
const signature: FormField = {
  name: 'signature',
  kind: 'line',
  label: 'Your signature',
  help: 'Type your full name. It counts as your signature.',
  isRequired: true,
  ask: 'Sign with your full name.',
  autoComplete: 'off',
}
const phone: FormField = {
  name: 'phone',
  kind: 'phone',
  label: 'Your telephone number',
  isRequired: false,
  ask: 'Enter your telephone number.',
  autoComplete: 'tel',
}
const statement = { kind: 'tick', isRequired: true, ask: 'Check this box if the statement is true.' } as const
const goodFaith: FormField = {
  ...statement,
  name: 'goodFaith',
  label: 'I believe in good faith that what I have written is accurate and complete.',
}
const optionalName: FormField = { ...name, label: 'Your name (optional)', isRequired: false }
const optionalEmail: FormField = { ...email, label: 'Your email address (optional)', isRequired: false }

/** Each asks what its law asks and no more (`neededElements`). */
export const formWords: Record<NoticeForm, FormWords> = {
  'child-safety': {
    title: 'A child at risk',
    summary: 'Someone shown here may be under 18, or a child is in danger.',
    lead: 'Tell us where. We hide each entry that we can find at the address you give, and a person looks at it within 4 hours.',
    notes: [
      'If a child is in danger right now, call the police first.',
      'Do not send or copy the picture itself. Its address is enough.',
    ],
    parts: [
      {
        title: 'Where and what',
        fields: [
          itemUrls,
          {
            ...explanation,
            help: 'A few words are enough. For example: the person in the picture may be a minor.',
          },
        ],
      },
      {
        title: 'About you (optional)',
        fields: [
          optionalName,
          {
            ...optionalEmail,
            help: 'Without it, the page you see next is the only way to follow your report.',
          },
        ],
      },
    ],
    send: 'Send report',
  },
  'intimate-image': {
    title: 'An intimate or private image of me',
    summary: 'A private picture of you was published here without your consent.',
    lead: 'As soon as this form is complete, we hide each entry that we can find at the address you give. We decide within 24 hours.',
    notes: ['Do not send the picture itself. Its address is enough.'],
    parts: [
      {
        title: 'Where and what',
        fields: [
          itemUrls,
          {
            ...explanation,
            label: 'What the image shows (optional)',
            help: 'Where it helps us to find it, such as the second of three pictures.',
            isRequired: false,
          },
        ],
      },
      {
        title: 'How we reach you',
        fields: [
          optionalName,
          {
            ...email,
            alternatives: ['phone'],
            help: 'We send the reference and our decision there. You can give a telephone number instead.',
            ask: 'Enter an email address or a telephone number.',
          },
          {
            ...phone,
            help: 'Only needed if you give no email address.',
            ask: 'Enter an email address or a telephone number.',
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
            help: 'Type your full name. If you act for the person shown, sign with your own name and say so above.',
          },
        ],
      },
    ],
    send: 'Send notice',
  },
  copyright: {
    title: 'Copyright',
    summary: 'Your work, or the work of somebody you act for, is used here without permission.',
    lead: 'This is a notice under 17 U.S.C. 512(c)(3). The law asks for everything on this form.',
    notes: [
      'We look at your notice within one business day. If we have not decided 3 days after it is complete, we hide the entry until we do.',
      'We may pass your notice on to the people it concerns. If you knowingly make a false statement, you may be liable for damages.',
    ],
    parts: [
      {
        title: 'The work and the entries',
        fields: [
          {
            name: 'workDescription',
            kind: 'text',
            label: 'Your work',
            help: 'Its title, its author, and where it was published. List each work if there are several.',
            isRequired: true,
            ask: 'Describe your work.',
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
            help: 'Only if you act for one.',
            isRequired: false,
            ask: '',
            autoComplete: 'organization',
          },
          {
            ...email,
            alternatives: ['phone', 'address'],
            help: 'We send the reference and our decision there. You can give a telephone number or a postal address instead.',
            ask: 'Enter an email address, a telephone number or a postal address.',
          },
          phone,
          {
            name: 'address',
            kind: 'lines',
            label: 'Your postal address',
            help: 'One of the three is enough.',
            isRequired: false,
            ask: 'Enter your postal address.',
            autoComplete: 'street-address',
          },
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
          { ...statement, name: 'accuracy', label: 'The information in this notice is accurate.' },
          {
            ...statement,
            name: 'perjury',
            label:
              'Under penalty of perjury: I own an exclusive right that is allegedly infringed, or I am authorized to act for its owner.',
          },
          signature,
        ],
      },
    ],
    send: 'Send notice',
  },
  privacy: {
    title: 'My personal data',
    summary: 'Personal data about you is published here, or an entry shows or names you and you no longer agree.',
    lead: 'Tell us what is published about you and what you want us to do.',
    notes: [
      'We decide within 7 days. If you withdraw your consent, we hide the entry within 24 hours and decide within 5 business days.',
    ],
    parts: [
      {
        title: 'Your request',
        fields: [
          {
            name: 'request',
            kind: 'choice',
            label: 'What do you want us to do?',
            isRequired: true,
            ask: 'Choose what you want us to do.',
            choices: [
              { value: requests.erase, label: 'Remove personal data about me from this site' },
              {
                value: requests.consent,
                label: 'Take down an entry that shows or names me: I withdraw my consent',
              },
            ],
          },
          itemUrls,
          {
            ...explanation,
            label: 'What it is about',
            help: 'Which data it is, or where the entry shows or names you.',
            ask: 'Write in a few words what it is about.',
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
    summary: 'Something here breaks the law in another way.',
    lead: 'Tell us what breaks the law, where it is, and why.',
    notes: ['We decide within 5 business days.'],
    parts: [
      {
        title: 'Where and why',
        fields: [
          itemUrls,
          {
            ...explanation,
            label: 'Why it is illegal',
            help: 'What exactly you mean, and which rule it breaks.',
            ask: 'Write why it is illegal.',
          },
          {
            name: 'lawCited',
            kind: 'line',
            label: 'The law that it breaks (optional)',
            help: 'For example a statute and its section, or a court judgment.',
            isRequired: false,
            ask: '',
            autoComplete: 'off',
          },
        ],
      },
      {
        title: 'About you (optional)',
        fields: [
          { ...optionalName, help: 'You can leave it out. It helps us to know who is writing.' },
          {
            ...optionalEmail,
            help: 'Without it, the page you see next is the only way to learn what we decide.',
          },
        ],
      },
      { title: 'What you declare', fields: [goodFaith] },
    ],
    send: 'Send notice',
  },
}

export function fieldsOf(form: NoticeForm): FormField[] {
  return formWords[form].parts.flatMap(({ fields }) => fields)
}

export function formOfKind(kind: NoticeKind): NoticeForm {
  return kind === 'consent' ? 'privacy' : kind
}
