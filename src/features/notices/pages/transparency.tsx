import { Link } from 'react-router'
import { minuteOf } from '../../../platform/time/site-time.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { basisName } from '../../catalogue/item/rights-line.ts'
import { noticesContext } from '../page-context.ts'
import { FiguresLine, FiguresTable } from '../parts/figures-table.tsx'
import { shareInWords } from '../parts/figures-words.ts'
import { FiguresByYear, hasNotices, NoticeFigures } from '../parts/notice-figures.tsx'
import type { TransparencyReport } from '../transparency/figures-schema.ts'
import { readKeptReport } from '../transparency/read-kept-report.server.ts'
import type { Route } from './+types/transparency.ts'
import '../parts/open-pages.css'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(noticesContext)
  const report = await readKeptReport(app)
  const countedAt = `${minuteOf(Date.parse(report.countedAt), report.timeZone)} (${report.timeZone})`
  return { report, countedAt, brandName: app.texts.inForce.brandName, publicUrl: app.config.publicUrl }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { brandName, publicUrl } = loaderData
  return pageMeta({
    title: 'Transparency',
    brand: brandName,
    description: `What was reported at ${brandName}, how soon it was decided, and on which rights what is published rests.`,
    canonical: `${publicUrl}/transparency`,
  })
}

/** What became of all notices, and on which rights what is published rests (docs/spec/notices.md#transparency). */
export default function Transparency({ loaderData: { report, countedAt } }: Route.ComponentProps) {
  return (
    <div className="column open-page">
      <h1>Transparency</h1>
      <p>What was reported here, how soon it was decided, and on which rights everything published rests.</p>
      <p className="open-aside">
        {`Counted at ${countedAt}. As `}
        <a className="text-link" href="/transparency.csv" download>
          CSV
        </a>
        {' and '}
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
            <h3>How to read them</h3>
            <ul className="open-notes">
              <li>A notice counts where it is now, and its decision is the one in force.</li>
              <li>
                Decided in time: before the deadline of its kind was over. Of a child at risk, that a person looked at
                it within 4 hours; of copyright, that it was decided before the entry had to be hidden.
              </li>
              <li>By the site itself: nobody had decided when a deadline ended, and the site did.</li>
              <li>
                Of a child at risk and of intimate images small numbers are not told, so that none can point at a
                person: below five it says 'fewer than 5', also where there are none, and from there on numbers are
                rounded down to fives. No sum holds these two kinds.
              </li>
            </ul>
          </>
        ) : (
          <>
            <p>No notices so far.</p>
            <p className="open-aside">
              Of a child at risk and of intimate images they are counted here from five on, so that no small number can
              point at a person.
            </p>
          </>
        )}
        <p>
          <Link className="text-link" to="/report">
            Report content
          </Link>
        </p>
      </section>
      {report.together.years.length === 0 ? null : (
        <section aria-labelledby="years">
          <h2 id="years">By year</h2>
          <p className="open-aside">A notice counts in the year in which it was received, with all that followed.</p>
          <FiguresByYear report={report} />
        </section>
      )}
      <Published report={report} />
      <section aria-labelledby="verification">
        <h2 id="verification">Who verifies the rights</h2>
        {report.verification === 'second-person' ? (
          <p>A second person: nothing is published before another administrator has verified its rights.</p>
        ) : (
          <p>
            Single-operator mode: the rights of an entry are verified by nobody but who records them. The site checks
            that the record is whole and in force before it publishes anything.
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
