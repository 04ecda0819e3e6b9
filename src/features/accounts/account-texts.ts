import type { AccountsApp } from './app.ts'
import type { FirstStep } from '../office/contributions.ts'
import type { DeclaredText } from '../office/texts/site-text.ts'

export const accountTexts: readonly DeclaredText[] = [
  {
    key: 'brand.name',
    label: 'Name of the site',
    help: 'In the header, in titles and in every email.',
    group: 'Brand',
    kind: 'line',
    maxLength: 60,
    setting: 'brandName',
  },
  {
    key: 'contact.email',
    label: 'Contact address',
    help: 'Receives inquiries. Shown on pages and in emails.',
    group: 'Contact',
    kind: 'email',
    maxLength: 254,
    setting: 'contactEmail',
  },
  {
    key: 'access.denied',
    label: 'Access denied',
    help: 'Shown on VIP pages to people who are not VIP.',
    group: 'Plans',
    kind: 'line',
    maxLength: 300,
    setting: 'accessDeniedMessage',
  },
]

const softwareName = 'Daybook'

export function readBrandStep({ texts }: Pick<AccountsApp, 'texts'>): FirstStep {
  const isDone = texts.inForce.brandName !== softwareName
  return {
    title: 'Name the site',
    isDone,
    help: isDone
      ? `It is called ${texts.inForce.brandName}.`
      : `It still has the name of the software, ${softwareName}.`,
    to: '/admin/texts',
  }
}
