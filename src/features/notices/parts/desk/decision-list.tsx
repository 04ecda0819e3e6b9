import { Link } from 'react-router'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import type { Decision } from '../../desk/desk-schema.ts'
import { decisionInWords, effectLabels } from './desk-words.ts'
import { Facts } from './facts.tsx'

/** The decisions about a notice, the oldest first; the last one is in force. */
export function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <ol className="desk-decisions">
      {decisions.map((decision, place) => (
        <li key={decision.id}>
          <article className="desk-card" aria-label={`Decision ${place + 1}`}>
            <h3>{decisionInWords(decision)}</h3>
            <p className="work-aside">
              <Badge>{place === decisions.length - 1 ? 'In force' : 'Reversed'}</Badge>{' '}
              {decision.decidedBy === null ? 'By the site itself, because its deadline had passed' : 'By '}
              {decision.decidedBy === null ? null : <bdi>{decision.decidedBy}</bdi>}
              {`, ${timeInWords(decision.decidedAt)}.`}
              {decision.reverses === null ? null : ' It replaced the decision before it.'}
            </p>
            <Facts
              of={[
                [decision.ground === 'illegal' ? 'The law' : 'The term', decision.legalGround],
                ['Facts', decision.facts],
                ['Explanation', decision.explanation],
              ]}
            />
            <DecidedItems items={decision.items} />
          </article>
        </li>
      ))}
    </ol>
  )
}

function DecidedItems({ items }: { items: Decision['items'] }) {
  if (items.length === 0) return <p className="work-aside">It touched no entry.</p>
  return (
    <ul className="desk-list" aria-label="What became of the entries">
      {items.map(({ id, name, path, wasReported, effect, reasons }) => (
        <li key={id}>
          <Link className="work-link" to={path} target="_blank">
            <bdi>{name}</bdi>
            <span className="sr-only"> (opens in a new tab)</span>
          </Link>{' '}
          <Badge>{effectLabels[effect]}</Badge>
          {wasReported ? null : <span className="work-aside"> Not reported, but it has a link that was blocked.</span>}
          {reasons.length === 0 ? null : (
            <ul className="desk-reasons" aria-label="What keeps it off">
              {reasons.map(({ code, message, remedy }) => (
                <li key={`${code} ${message}`}>{`${message} ${remedy}`}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
