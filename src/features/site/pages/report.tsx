import { appContext } from '../../../http/pages/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { ForAdministrators } from '../parts/for-administrators.tsx'
import type { Route } from './+types/report.ts'
import '../parts/report-page.css'

export function loader({ context }: Route.LoaderArgs) {
  const { brandName, contactEmail, dmcaEmail } = context.get(appContext).config
  return { brandName, contactEmail, dmcaEmail }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Report content', brand: loaderData?.brandName ?? 'Report content', indexed: false })
}

/** How to report an entry: by mail, while there are no forms. What a copyright notice holds is 17 U.S.C. 512(c)(3). */
export default function Report({ loaderData: { contactEmail, dmcaEmail } }: Route.ComponentProps) {
  return (
    <div className="column report">
      <h1>Report content</h1>
      <p>
        Is something here that should not be? Write to us. Name the address of each entry that you mean, and how we can
        reach you.
      </p>
      <section aria-labelledby="copyright">
        <h2 id="copyright">Copyright</h2>
        <p>A notice of copyright infringement needs these six things:</p>
        <ol>
          <li>your signature, or that of somebody who may act for the owner; a typed name counts</li>
          <li>the work you own</li>
          <li>the addresses of the entries that you want removed</li>
          <li>your name, address, telephone number and mail address</li>
          <li>that you believe in good faith that the use is not authorized by the owner, its agent or the law</li>
          <li>that the notice is accurate and, under penalty of perjury, that you may act for the owner</li>
        </ol>
        <p>
          <a className="button button-solid" href={mailTo(dmcaEmail, 'Copyright notice')}>
            {`Write to ${dmcaEmail}`}
          </a>
        </p>
      </section>
      <section aria-labelledby="anything-else">
        <h2 id="anything-else">Anything else</h2>
        <p>
          An intimate or private picture of you, a child at risk, your personal data, or anything else that breaks the
          law: tell us which applies; the most serious reports are read first. Do not send the picture itself.
        </p>
        <p>
          <a className="button button-solid" href={mailTo(contactEmail, 'Report of content')}>
            {`Write to ${contactEmail}`}
          </a>
        </p>
      </section>
      <ForAdministrators>
        The notice forms and the desk are not part of this version: reports reach the addresses in DMCA_EMAIL and
        CONTACT_EMAIL, and their legal deadlines are yours to keep.
      </ForAdministrators>
    </div>
  )
}

function mailTo(address: string, subject: string): string {
  return `mailto:${address}?subject=${encodeURIComponent(subject)}`
}
