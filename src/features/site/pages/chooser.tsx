import { Link } from 'react-router'
import { appContext } from '../../../platform/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { Pattern } from '../../../ui/pattern.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useIsOnline } from '../../../ui/use-is-online.ts'
import { rememberRegion } from '../../catalogue/parts/region.ts'
import './chooser.css'
import type { Route } from './+types/chooser.ts'

export function loader({ context }: Route.LoaderArgs) {
  const { brandName, publicUrl } = context.get(appContext).config
  return { brandName, publicUrl }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return []
  const { brandName, publicUrl } = loaderData
  return pageMeta({
    title: 'Choose Your Experience',
    brand: brandName,
    description: `${brandName}: two regional catalogues of dated entries, from Asia and from the West.`,
    canonical: `${publicUrl}/`,
    image: `${publicUrl}/share.png`,
    structured: [{ '@type': 'WebSite', name: brandName, url: `${publicUrl}/` }],
  })
}

const regions = [
  { region: 'asian', name: 'Asian', sentence: 'Enter the world of Asian content', pattern: 'waves' },
  { region: 'western', name: 'Western', sentence: 'Explore our Western collection', pattern: 'tracery' },
] as const

export default function Chooser({ loaderData }: Route.ComponentProps) {
  const isOnline = useIsOnline()
  return (
    <div className="column chooser">
      <header>
        <p className="chooser-brand" dir="auto">
          {loaderData.brandName}
        </p>
        <h1>Choose Your Experience</h1>
        <p>Select your preferred content category to continue</p>
      </header>
      <ul>
        {regions.map(({ region, name, sentence, pattern }) => (
          <li key={region} className={`accent-${region}`}>
            <Link to={`/${region}`} prefetch={isOnline ? 'intent' : 'none'} onClick={() => rememberRegion(region)}>
              <Pattern name={pattern} className="chooser-pattern" />
              <span className="chooser-name">
                {name}
                <Icon name="on" size={24} />
              </span>
              <span className="chooser-sentence">{sentence}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
