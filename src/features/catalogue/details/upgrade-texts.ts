import { type DeclaredText, metGateway } from '../../office/texts/site-text.ts'

/** Without a gateway everybody has it. */
const instantAccess = {
  linkvertise: ['Instant access without ads'],
  local: ['Instant access without waiting'],
  off: [],
}

export const upgradeTexts: readonly DeclaredText[] = [
  {
    key: 'vip.upgrade',
    label: 'Benefits in the upgrade panel',
    help: 'Below every free entry, one a line.',
    group: 'Plans',
    kind: 'list',
    maxLength: 80,
    maxLines: 8,
    first: ({ gateway }) =>
      [...instantAccess[metGateway(gateway)], 'All content unlocked', 'Exclusive VIP content'].join('\n'),
  },
]
