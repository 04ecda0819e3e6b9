import { TextLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { DecidedNotices } from '../../desk/desk-schema.ts'
import { decidedInWords } from './desk-words.ts'
import { casePath } from './notice-paths.ts'

/** The results of a decision about several notices; those that were not decided stand first. */
export function DecidedMany({ decided }: { decided: DecidedNotices }) {
  const left = decided.results.filter(({ result }) => result !== 'decided')
  const done = decided.results.filter(({ result }) => result === 'decided')
  return (
    <Notice tone={left.length === 0 ? 'done' : 'calm'}>
      <p>{decidedInWords(decided)}</p>
      <details open={left.length > 0}>
        <summary>Each notice</summary>
        <ul className="desk-results">
          {[...left, ...done].map(({ reference, reason }) => (
            <li key={reference}>
              <TextLink to={casePath(reference)}>{reference}</TextLink>
              {`: ${reason ?? 'Decided.'}`}
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  )
}
