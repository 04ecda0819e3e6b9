import { TextLink } from '../../../../ui/button.tsx'

export function ReportEntry({ path }: { path: string }) {
  return (
    <p className="card-foot">
      <TextLink to={`/report?entry=${path}`} rel="nofollow">
        Report this entry
      </TextLink>
    </p>
  )
}
