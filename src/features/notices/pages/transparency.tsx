import { TextLink } from '../../../ui/button.tsx'
import { instantInZone } from '../../../platform/time/instant-in-words.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { basisName } from '../../catalogue/item/rights-line.ts'
import { noticesContext } from '../page-context.ts'
import { FiguresLine, FiguresTable, shareInWords } from '../parts/figures-table.tsx'
import { FiguresByYear, hasNotices, NoticeFigures } from '../parts/notice-figures.tsx'
import type { TransparencyReport } from '../transparency/figures-schema.ts'
import { readCachedReport } from '../transparency/read-cached-report.server.ts'
import type { Route } from './+types/transparency.ts'
import '../parts/open-pages.css'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(noticesContext)
  const report = await readCachedReport(app)
  const countedAt = instantInZone(Date.parse(report.countedAt), report.timeZone)
  return { report, countedAt, brandName: app.texts.inForce.brandName, publicUrl: app.config.publicUrl }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { brandName, publicUrl } = loaderData
  return pageMeta({
    title: 'Transparency',
    brand: brandName,
    description: `The notices that ${brandName} received, how quickly we decided, and the rights behind everything we publish.`,
    canonical: `${publicUrl}/transparency`,
  })
}

/** The results of all notices, and the rights of everything published (docs/spec/notices.md#transparency). */
export default function Transparency({ loaderData: { report, countedAt } }: Route.ComponentProps) {
  return (
    <div className="column open-page">
      <h1>Transparency</h1>
      <p>What people reported here, how quickly we decided, and the rights behind everything we publish.</p>
      <p className="open-aside">
        {`Counted on ${countedAt}. Download as `}
        <a className="text-link" href="/transparency.csv" download>
          CSV
        </a>
        {' or '}
        <a className="text-link" href="/transparency.json">
          JSON
        </a>
        .
      </p>
      <section aria-labelledby="notices">
        <h2 id="notices">Notices</h2>
        {hasNotices(report) ? (
          <>
            <NoticeFigures report={report} />
            <h3>How to read these tables</h3>
            <ul className="open-notes">
              <li>Each notice is counted once, by where it stands today and by its latest decision.</li>
              <li>
                “Decided in time” means before the deadline for that kind of notice. For a child at risk: a person
                looked at it within 4 hours. For copyright: we decided before the entry had to be hidden.
              </li>
              <li>
                “By the site itself” means that a deadline passed before anybody had decided, so the software did.
              </li>
              <li>
                Small numbers could point at a person. So for a child at risk and for intimate images we write “fewer
                than 5” below five, even if there are none, and round other numbers down to a multiple of five. Totals
                leave out these two kinds.
              </li>
            </ul>
          </>
        ) : (
          <>
            <p>No notices so far.</p>
            <p className="open-aside">
              Notices about a child at risk and about intimate images appear here once there are five: a small number
              could point at a person.
            </p>
          </>
        )}
        <p>
          <TextLink to="/report">Report content</TextLink>
        </p>
      </section>
      {report.together.years.length === 0 ? null : (
        <section aria-labelledby="years">
          <h2 id="years">By year</h2>
          <p className="open-aside">
            Each notice is counted in the year we received it, with everything that followed.
          </p>
          <FiguresByYear report={report} />
        </section>
      )}
      <Published report={report} />
      <section aria-labelledby="verification">
        <h2 id="verification">Who verifies the rights</h2>
        {report.verification === 'second-person' ? (
          <p>A second person does: nothing is published before another administrator has verified its rights.</p>
        ) : (
          <p>
            Single-operator mode: the person who records the rights of an entry also verifies them. The site checks that
            the record is complete and valid before it publishes anything.
          </p>
        )}
      </section>
    </div>
  )
}

function Published({ report: { published } }: { report: TransparencyReport }) {
  const { entries, bases } = published
  return (
    <section aria-labelledby="published">
      <h2 id="published">What is published</h2>
      {entries === 0 ? (
        <p>Nothing is published yet.</p>
      ) : (
        <FiguresTable caption="Published entries by the basis of their rights" heads={['Basis', 'Entries', 'Share']}>
          {bases
            .filter((basis) => basis.entries > 0)
            .toSorted((one, other) => other.entries - one.entries)
            .map((basis) => (
              <FiguresLine
                key={basis.basis}
                name={basisName(basis.basis)}
                cells={[basis.entries.toLocaleString('en-US'), shareInWords(basis.entries, entries)]}
              />
            ))}
          <FiguresLine name="All" cells={[entries.toLocaleString('en-US'), '100 %']} isSum />
        </FiguresTable>
      )}
    </section>
  )
}
