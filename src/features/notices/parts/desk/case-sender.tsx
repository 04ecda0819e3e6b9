import { timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { elementInWords } from './desk-words.ts'
import { Facts } from './facts.tsx'

export function CaseSender({ sender, forgottenAt }: Pick<NoticeForDesk, 'sender' | 'forgottenAt'>) {
  const { name, organization, address, phone, email } = sender
  const lines: [string, string | null][] = [
    ['Name', name],
    ['Organization', organization],
    ['Postal address', address],
    ['Telephone', phone],
  ]
  if (email === null && lines.every(([, value]) => value === null)) {
    return <p>The sender gave no name and no contact details. They can only follow the notice on its private page.</p>
  }
  return (
    <Facts
      of={[
        ...lines.map(([label, value]) => [label, value === null ? null : <UserText>{value}</UserText>] as const),
        [
          'Email',
          email === null ? (
            <span className="work-aside">None, so we cannot email them.</span>
          ) : (
            <a className="work-link" href={`mailto:${encodeURIComponent(email)}`}>
              <UserText>{email}</UserText>
            </a>
          ),
        ],
        ['Deleted', forgottenAt && `Postal address, telephone and signature, ${timeInWords(forgottenAt)}.`],
      ]}
    />
  )
}

export function CaseWords({
  notice: { workDescription, explanation, lawCited, signature },
}: {
  notice: Pick<NoticeForDesk, 'workDescription' | 'explanation' | 'lawCited' | 'signature'>
}) {
  const words: [string, string | null][] = [
    ['The work', workDescription],
    ['What they say', explanation],
    ['The law they name', lawCited],
    ['Signed', signature],
  ]
  if (words.every(([, value]) => value === null)) return <p>They wrote nothing else.</p>
  return <Facts of={words} />
}

export function CaseElements({ kind, elements }: Pick<NoticeForDesk, 'kind' | 'elements'>) {
  if (elements.length === 0) return <p>The law requires nothing more of this kind of notice.</p>
  return (
    <ul className="desk-elements">
      {elements.map(({ name, label, isGiven }) => (
        <li key={name}>
          {isGiven ? <Icon name="check" size={16} /> : <Icon name="close" size={16} />}
          <span>{elementInWords(kind, name, label)}</span>{' '}
          {isGiven ? <span className="sr-only">is there</span> : <Badge>Missing</Badge>}
        </li>
      ))}
    </ul>
  )
}
