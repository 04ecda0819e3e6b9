import { Link } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { entryQuery } from '../intake/reported-entry.ts'
import { formPath, formWords, noticeForms } from '../intake/notice-forms.ts'
import { noticesContext } from '../page-context.ts'
import type { Route } from './+types/report.ts'
import '../parts/notices.css'

export function loader({ context, url }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(noticesContext).texts.inForce
  return { brandName, contactEmail, query: entryQuery(url.searchParams) }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Report content', brand: loaderData?.brandName ?? 'Report content', indexed: false })
}

/** The five ways to report what must not be here, the gravest first. */
export default function Report({ loaderData: { contactEmail, query } }: Route.ComponentProps) {
  return (
    <div className="column report">
      <header>
        <h1>Report content</h1>
        <p>Is something here that should not be? Choose what comes nearest. You need no account.</p>
      </header>
      <ul className="report-ways">
        {noticeForms.map((form) => (
          <li key={form}>
            <Link to={`${formPath(form)}${query}`}>{formWords[form].title}</Link>
            <Icon name="on" />
            <p>{formWords[form].summary}</p>
          </li>
        ))}
      </ul>
      <section aria-labelledby="then">
        <h2 id="then">What happens next</h2>
        <ol className="report-steps">
          <li>You get a reference, an email, and a private page on which you follow your notice.</li>
          <li>
            What is gravest is hidden at once; a person looks at every notice within the time that its form names.
          </li>
          <li>We decide, give our reasons, and whoever disagrees can have another person look at it.</li>
        </ol>
      </section>
      <div className="report-foot">
        <p>
          Was your work removed after a copyright notice, by mistake?{' '}
          <Link className="text-link" to="/report/counter-notice">
            Send a counter-notice
          </Link>
          .
        </p>
        <p>
          None of these fits, or a form does not work? Write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>
          .
        </p>
      </div>
    </div>
  )
}
