import { Link } from 'react-router'
import { TextLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { entryQuery } from '../intake/reported-entry.ts'
import { formPath, formWords, noticeForms } from '../intake/notice-forms.ts'
import { noticesContext } from '../page-context.ts'
import type { Route } from './+types/report.ts'
import '../parts/notices.css'

export function loader({ context, url }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(noticesContext).texts.inForce
  return { brandName, contactEmail, query: entryQuery(url.searchParams) }
}

export const meta = unindexedMeta('Report content')

export default function Report({ loaderData: { contactEmail, query } }: Route.ComponentProps) {
  return (
    <div className="column report">
      <header>
        <h1>Report content</h1>
        <p>Is something here that should not be? Choose what fits best. You do not need an account.</p>
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
          <li>
            You get a reference number and a private page where you can follow your notice. We also email you the link.
          </li>
          <li>
            For the most serious kinds we hide the entry right away. A person looks at every notice, and each form says
            how quickly.
          </li>
          <li>
            We decide and tell you why. If you disagree, you can appeal, and another person looks at it if there is one.
          </li>
        </ol>
      </section>
      <div className="report-foot">
        <p>
          Did we remove your entry by mistake after a copyright notice?{' '}
          <TextLink to="/report/counter-notice">Send a counter-notice</TextLink>.
        </p>
        <p>
          None of these fits, or a form does not work? Write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>
          .
        </p>
        <p>
          About copyright and our designated agent: <TextLink to="/dmca">DMCA</TextLink>. What became of earlier
          notices: <TextLink to="/transparency">Transparency</TextLink>.
        </p>
      </div>
    </div>
  )
}
