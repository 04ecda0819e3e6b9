import type { DeclaredText } from '../../office/texts/site-text.ts'

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
      [
        // Without a gateway everybody has it.
        ...(gateway.provider === 'off' ? [] : ['Instant access without ads']),
        'All content unlocked',
        'Exclusive VIP content',
      ].join('\n'),
  },
]
