import { TextLink } from '../../../../ui/button.tsx'

/** At the foot of a card: the way to report the entry, whose address the form then knows. */
export function ReportEntry({ path }: { path: string }) {
  return (
    <p className="card-foot">
      <TextLink to={`/report?entry=${path}`} rel="nofollow">
        Report this entry
      </TextLink>
    </p>
  )
}
