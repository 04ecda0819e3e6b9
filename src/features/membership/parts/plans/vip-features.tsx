import { FeatureDrawing, type FeatureDrawingName } from './lounge-drawing.tsx'
import './vip-features.css'

const features: { drawing: FeatureDrawingName; name: string; sentence: string }[] = [
  {
    drawing: 'shelf',
    name: 'Premium Content',
    sentence: 'The four VIP shelves, beside everything that is free: works from Asia and the West, banned and unknown.',
  },
  {
    drawing: 'clear',
    name: 'Ad-Free Experience',
    sentence: 'Every link leads straight to the file. No page in between, and no waiting.',
  },
  {
    drawing: 'bell',
    name: 'Priority Support',
    sentence: 'What a member writes to us is read first.',
  },
]

/** The three things that a membership brings (docs/spec/pages.md#plans). */
export function VipFeatures({ level }: { level: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ul className="vip-features">
      {features.map(({ drawing, name, sentence }) => (
        <li key={name}>
          <FeatureDrawing name={drawing} />
          <Heading>{name}</Heading>
          <p>{sentence}</p>
        </li>
      ))}
    </ul>
  )
}
