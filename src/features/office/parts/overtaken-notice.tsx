import { Notice } from '../../../ui/notice.tsx'

/** Says what somebody else has saved while a form was filled in; the next save replaces it. */
export function OvertakenNotice({
  sentence,
  lines,
  ifSame,
}: {
  sentence: string
  lines: readonly string[]
  /** Stands in the place of no lines. */
  ifSame: string
}) {
  return (
    <Notice tone="calm">
      <p>{sentence}</p>
      {lines.length === 0 ? (
        <p>{ifSame}</p>
      ) : (
        <ul aria-label="What they have saved">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
