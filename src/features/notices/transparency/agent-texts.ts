import type { DeclaredText } from '../../office/texts/site-text.ts'

/** The texts of `/dmca` about the agent and repeat infringers (docs/spec/notices.md#agent). */
export const agentTexts: readonly DeclaredText[] = [
  line(
    'agent.name',
    'DMCA agent: name',
    'Or the title of a position, such as Copyright Agent. On the page /dmca.',
    120,
  ),
  line('agent.organization', 'DMCA agent: organization', 'On the page /dmca.', 120),
  {
    key: 'agent.address',
    label: 'DMCA agent: postal address',
    help: 'As on an envelope, on the page /dmca.',
    group: 'Legal',
    kind: 'list',
    maxLength: 120,
    maxLines: 8,
    isOptional: true,
    first: () => '',
  },
  line('agent.phone', 'DMCA agent: telephone', 'On the page /dmca.', 40),
  line(
    'agent.registration',
    'DMCA agent: registration number',
    'From the directory of the U.S. Copyright Office, such as DMCA-1234567. On the page /dmca.',
    40,
  ),
  {
    key: 'agent.until',
    label: 'DMCA agent: end of the registration',
    help: 'A registration ends three years after it was made or renewed. Administrators get an email 60 days, 14 days and a day before.',
    group: 'Legal',
    kind: 'date',
    maxLength: 10,
    isOptional: true,
    first: () => '',
  },
  {
    key: 'agent.repeated',
    label: 'Repeated infringement',
    help: 'Our policy about those who infringe again and again, on the page /dmca.',
    group: 'Legal',
    kind: 'document',
    maxLength: 5_000,
    first: () =>
      'Only the people who administer this site can publish here. Anyone among them who repeatedly infringes the rights of others loses that role. Removed entries are blocked together with their links: nobody can publish them again elsewhere on the site, unless a later decision restores them.',
  },
]

function line(key: DeclaredText['key'], label: string, help: string, maxLength: number): DeclaredText {
  return { key, label, help, group: 'Legal', kind: 'line', maxLength, isOptional: true, first: () => '' }
}
