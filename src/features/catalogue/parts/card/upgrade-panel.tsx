import { useState } from 'react'
import { Link } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { plansPath } from '../../../membership/plans/plans-path.ts'
import { remember } from '../../../../browser/remembered.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { upgradeClosed, upgradeClosedClass, upgradeKey } from './upgrade-closed.ts'
import './upgrade-panel.css'

/**
 * The benefits of a membership, below the entry, and folded until opened. A visitor who closes it does not see it again
 * in this browser, and no VIP ever does (docs/spec/pages.md#upgrade-panel).
 */
export function UpgradePanel({
  slug,
  benefits,
  isAlways = false,
}: {
  slug: string
  benefits: readonly string[]
  /** Shown to whoever looks, as a visitor has it. */
  isAlways?: boolean
}) {
  const { session, access } = useSession()
  const [isClosed, setIsClosed] = useState(false)
  if (!isAlways && (isClosed || access.isVip || access.isAdmin)) return null
  // The header asks whether a signed-in member is VIP; without an answer nothing is offered.
  const mayBeVip = session !== undefined && access.state !== 'known'

  const close = (): void => {
    setIsClosed(true)
    remember(upgradeKey, upgradeClosed)
    document.body.classList.add(upgradeClosedClass)
    // The button goes with the panel.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }

  return (
    <aside
      className={`upgrade accent-vip${session === undefined || mayBeVip ? '' : ' is-offered'}`}
      aria-labelledby="upgrade"
    >
      <h2 id="upgrade">Upgrade to VIP</h2>
      <Link className="button button-tint upgrade-link" to={plansPath(slug)}>
        Unlock VIP Access
      </Link>
      <button
        type="button"
        className="button button-icon upgrade-close with-script"
        aria-label="Close this offer"
        onClick={close}
      >
        <Icon name="close" size={16} />
      </button>
      <details>
        <summary>
          <span className="when-closed">Show the benefits</span>
          <span className="when-open">Hide the benefits</span>
        </summary>
        <ul>
          {benefits.map((benefit) => (
            <li key={benefit}>
              <Icon name="check" size={16} />
              {benefit}
            </li>
          ))}
        </ul>
      </details>
    </aside>
  )
}
