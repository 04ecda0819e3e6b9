import { TextLink } from '../../ui/button.tsx'
import type { AccountPageContribution } from '../accounts/settings/account-page.ts'
import { AccountPart } from '../accounts/settings/settings-section.tsx'
import { readersPages } from './reading/parts/readers-pages.ts'

export const catalogueOnAccountPage: AccountPageContribution<unknown> = {
  feature: 'catalogue',
  sections: [{ name: 'reading', order: 25, Section: Reading }],
  DeletionLosses: () => <li>your saved entries, saved searches and download history</li>,
}

function Reading() {
  return (
    <AccountPart title="Your reading">
      <ul className="account-contacts">
        {readersPages.map(({ path, title }) => (
          <li key={path}>
            <TextLink to={path}>{title}</TextLink>
          </li>
        ))}
      </ul>
    </AccountPart>
  )
}
