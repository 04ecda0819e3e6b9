import { useState } from 'react'
import { Link } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage, WorkSection } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { TextDialog, textsPath } from '../../office/texts/parts/text-dialog.tsx'
import { TextRow } from '../../office/texts/parts/text-row.tsx'
import { type SiteTextForAdmin, SiteTextsForAdmin } from '../../office/texts/texts-schema.ts'
import { AppearanceForAdmin } from '../appearance/appearance-schema.ts'
import { AppearanceForm, appearancePath } from '../parts/appearance/appearance-form.tsx'
import '../parts/appearance/appearance.css'

export const handle = { title: 'Appearance' } satisfies TitledPage

export const meta = guardedMeta

export default function AppearanceRoute() {
  const appearance = useAdminQuery(appearancePath, AppearanceForAdmin)
  const texts = useAdminQuery(textsPath, SiteTextsForAdmin)
  const [edited, setEdited] = useState<SiteTextForAdmin>()
  const error = appearance.error ?? texts.error
  const isHere = appearance.data !== undefined && texts.data !== undefined
  const query = {
    error,
    isFetching: appearance.isFetching || texts.isFetching,
    refetch() {
      appearance.refetch()
      texts.refetch()
    },
  }
  const textsOf = (group: string) =>
    (texts.data?.texts ?? [])
      .filter(({ key }) => key.startsWith(group))
      .map((text) => <TextRow key={text.key} text={text} onEdit={() => setEdited(text)} />)
  return (
    <WorkPage
      title="Appearance"
      lead="The name, mark and colours of the site, its header, an announcement, and what the plans say. Everything is shown before it is saved."
    >
      {isHere && error === undefined ? null : <WorkAwaited query={query} />}
      {appearance.data === undefined || texts.data === undefined ? null : (
        <>
          <WorkSection title="Name">
            <p className="work-aside">
              A name saved here overrides BRAND_NAME of the environment, and is marked “Changed”.
            </p>
            <ul className="texts-list">{textsOf('brand.')}</ul>
          </WorkSection>
          <AppearanceForm
            stored={appearance.data}
            name={texts.data.texts.find(({ key }) => key === 'brand.name')?.value ?? ''}
            onSaved={(saved) => appearance.setData(() => saved)}
          />
          <WorkSection title="Plans">
            <Prices {...appearance.data} />
            <ul className="texts-list">{textsOf('plans.')}</ul>
          </WorkSection>
        </>
      )}
      {edited === undefined ? null : <TextDialog text={edited} onClose={() => setEdited(undefined)} />}
    </WorkPage>
  )
}

function Prices({ prices, isSelling }: Pick<AppearanceForAdmin, 'prices' | 'isSelling'>) {
  return (
    <>
      <dl className="look-prices">
        {prices.map(({ plan, price }) => (
          <div key={plan}>
            <dt>{plan}</dt>
            <dd>{price}</dd>
          </div>
        ))}
      </dl>
      <p className="work-aside">
        {isSelling
          ? 'The prices are fixed and are checked against Stripe. '
          : 'Memberships are not on sale: payments are switched off in the settings. '}
        <Link className="work-link" to="/admin/configuration">
          The settings show which Stripe prices are used
        </Link>
        .
      </p>
    </>
  )
}
