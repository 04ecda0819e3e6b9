import { appearanceKey } from './appearance/appearance.ts'
import type { DeclaredText } from '../office/texts/site-text.ts'

export const siteTexts: readonly DeclaredText[] = [
  {
    key: appearanceKey,
    label: 'Appearance',
    help: 'Edited on a page of its own.',
    group: 'Brand',
    kind: 'document',
    maxLength: 40_000,
    isOptional: true,
    isHidden: true,
    first: () => '',
  },
  {
    key: 'brand.line',
    label: 'Line under the name',
    help: 'In the footer of every page.',
    group: 'Brand',
    kind: 'line',
    maxLength: 120,
    isOptional: true,
    first: () => 'premium content platform',
  },
  {
    key: 'contact.dmca',
    label: 'Address for copyright notices',
    help: 'In the footer, on the report page and on the account page.',
    group: 'Contact',
    kind: 'email',
    maxLength: 254,
    setting: 'dmcaEmail',
  },
  {
    key: 'contact.community',
    label: 'Community link',
    help: 'In the header, in the footer and on the account page.',
    group: 'Contact',
    kind: 'address',
    maxLength: 500,
    setting: 'communityUrl',
  },
  {
    key: 'contact.vips',
    label: 'VIP community link',
    help: 'In the header of the VIP area.',
    group: 'Contact',
    kind: 'address',
    maxLength: 500,
    setting: 'vipCommunityUrl',
  },
]
