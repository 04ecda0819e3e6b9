import { ButtonLink } from '../../../../ui/button.tsx'
import { usePageTitle } from '../../../../browser/page-title.ts'
import { StatePage } from '../../../../ui/state-page.tsx'
import { twoStepPath, type TwoStepState } from './two-step-link.ts'

const title = 'Set up two-step sign-in'

/**
 * In place of a page of the administration, for an administrator without a second factor on a site that asks for one.
 * @param backTo the page that they wanted, where they go on afterwards
 */
export function FactorNeeded({ backTo }: { backTo: string }) {
  usePageTitle(title)
  return (
    <StatePage
      drawing="shut"
      title={title}
      steps={
        <>
          <ButtonLink look="solid" label="Set it up" to={twoStepPath} state={{ backTo } satisfies TwoStepState} />
          <ButtonLink label="Back to Homepage" to="/" />
        </>
      }
    >
      <p>
        Administrators of this site sign in with a second step, so a stolen password is not enough. Setting it up takes
        about a minute; you'll be brought back here.
      </p>
    </StatePage>
  )
}
