import { Link } from 'react-router'
import { StatePage } from '../../../ui/state-page.tsx'
import { AskAgainButton } from '../../accounts/parts/ask-again-button.tsx'
import type { BillingQuestion } from './billing-question.ts'

/** In place of what could not be had: why, and the way to ask again. */
export function BillingRefused({
  title,
  level = 1,
  question: { refusal, isAsking, askAgain },
}: {
  title: string
  level?: 1 | 2
  question: Pick<BillingQuestion<object>, 'refusal' | 'isAsking' | 'askAgain'>
}) {
  if (refusal?.status === 404) {
    return (
      <StatePage
        drawing="missing"
        title="There is no such member"
        level={level}
        steps={
          <Link className="button button-solid" to="/admin/billing">
            Back to Billing
          </Link>
        }
      >
        <p>The account was deleted, or the address is not right.</p>
      </StatePage>
    )
  }
  return (
    <StatePage
      drawing="blot"
      title={title}
      level={level}
      steps={<AskAgainButton isAsking={isAsking} onAsk={askAgain} />}
    >
      <p>{refusal?.sentence}</p>
    </StatePage>
  )
}
