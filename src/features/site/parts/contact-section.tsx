import { AccountPart } from '../../accounts/settings/settings-section.tsx'

export function ContactSection({
  facts: { communityUrl, dmcaEmail },
}: {
  facts: { communityUrl: string; dmcaEmail: string }
}) {
  return (
    <AccountPart title="Contact & Support">
      <ul className="account-contacts">
        <li>
          Community:{' '}
          <a className="text-link" href={communityUrl} target="_blank" rel="noopener noreferrer">
            Discord
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </li>
        <li>
          Copyright takedown:{' '}
          <a className="text-link" href={`mailto:${dmcaEmail}`}>
            {dmcaEmail}
          </a>
        </li>
      </ul>
    </AccountPart>
  )
}
