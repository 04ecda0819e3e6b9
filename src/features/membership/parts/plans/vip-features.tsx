import { FeatureDrawing, type FeatureDrawingName } from './lounge-drawing.tsx'
import './vip-features.css'

/** In the order of the reasons. */
const drawings: readonly FeatureDrawingName[] = ['shelf', 'clear', 'bell']

/**
 * The three things that a membership brings (docs/spec/pages.md#plans).
 * @param reasons a name and a sentence each
 */
export function VipFeatures({ reasons, level }: { reasons: string[][]; level: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ul className="vip-features">
      {reasons.map(([name, sentence], place) => (
        <li key={name}>
          <FeatureDrawing name={drawings[place] ?? 'shelf'} />
          <Heading>{name}</Heading>
          <p>{sentence}</p>
        </li>
      ))}
    </ul>
  )
}
