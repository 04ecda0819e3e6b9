import { TextLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { type DoneToMany, doneInWords } from './desk-words.ts'
import { casePath } from './notice-paths.ts'

/** The results of an act on several notices; those that it left as they were stand first. */
export function DoneWithMany({ done }: { done: DoneToMany }) {
  const { verb, results } = done
  const isLeft = ({ reason }: (typeof results)[number]): boolean => reason !== null
  const left = results.filter(isLeft)
  return (
    <Notice tone={left.length === 0 ? 'done' : 'calm'}>
      <p>{doneInWords(done)}</p>
      <details open={left.length > 0}>
        <summary>Each notice</summary>
        <ul className="desk-results">
          {[...left, ...results.filter((result) => !isLeft(result))].map(({ reference, reason }) => (
            <li key={reference}>
              <TextLink to={casePath(reference)}>{reference}</TextLink>
              {`: ${reason ?? `${verb[0]?.toUpperCase()}${verb.slice(1)}.`}`}
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  )
}
