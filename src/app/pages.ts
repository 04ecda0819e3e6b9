import { accountPages } from '../features/accounts/pages.ts'
import { cataloguePages } from '../features/catalogue/pages.ts'
import { membershipPages } from '../features/membership/pages.ts'
import { noticesPages } from '../features/notices/pages.ts'
import { officePages } from '../features/office/pages.ts'
import { requestsPages } from '../features/requests/pages.ts'
import { sitePages } from '../features/site/pages.ts'
import type { Page } from '../http/pages/page.ts'

/** Every page of the site but the one that says that nothing is there. The server and the build read this list. */
export const pages: readonly Page[] = [
  ...cataloguePages,
  ...officePages,
  ...accountPages,
  ...membershipPages,
  ...requestsPages,
  ...noticesPages,
  ...sitePages,
]
