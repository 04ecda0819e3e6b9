import { TextLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { twoStepPath } from '../../parts/factors/two-step-link.ts'
import type { AccountPageProps } from '../account-page.ts'
import './two-step-section.css'

/** Tells an administrator without a second factor that the administration waits for one. */
export function FactorNeededNotice({ profile }: Pick<AccountPageProps<unknown>, 'profile'>) {
  if (!profile.needsSecondFactor) return null
  return (
    <div className="account-page-notice">
      <Notice tone="calm">
        <p>You are an administrator. Set up two-step sign-in to open the administration.</p>
        <p>
          <TextLink to={twoStepPath}>Set it up</TextLink>
        </p>
      </Notice>
    </div>
  )
}
