import { Link } from 'react-router'
import { useFacts } from '../use-facts.ts'
import './demo-banner.css'

/** Says on every page of the administration that the database holds the demo, and leads to a library of one's own. */
export function DemoBanner() {
  if (useFacts()?.isDemo !== true) return null
  return (
    <p className="column demo-banner">
      <span>
        This is a demo.
        <span className="demo-invented">
          {' Its works are real. Its members, payments, notices, downloads and link checks are invented.'}
        </span>
      </span>{' '}
      <Link className="work-link" to="/admin/demo">
        Start my own library
      </Link>
    </p>
  )
}
