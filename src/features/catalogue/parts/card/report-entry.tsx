import { Link } from 'react-router'

/** At the foot of a card: the way to report the entry, whose address the form then knows. */
export function ReportEntry({ path }: { path: string }) {
  return (
    <p className="card-foot">
      <Link className="text-link" to={`/report?entry=${path}`} rel="nofollow">
        Report this entry
      </Link>
    </p>
  )
}
