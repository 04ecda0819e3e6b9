import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { WorkPage, WorkSection } from '../../../ui/work-page.tsx'
import { useFacts } from '../parts/use-facts.ts'

export const handle = { title: 'Start my own library' } satisfies TitledPage

export const meta = guardedMeta

/** How to get from the demo to a library of one's own. */
export default function DemoRoute() {
  const isDemo = useFacts()?.isDemo === true
  return (
    <WorkPage
      title="Start my own library"
      lead={
        isDemo
          ? 'The demo stays in its own folder, so you can come back to it.'
          : 'This library is your own already: it holds no demo.'
      }
    >
      {isDemo ? (
        <WorkSection title="What to do">
          <ol className="demo-steps">
            <li>Stop this site with Ctrl+C where you started it.</li>
            <li>
              Set <code>ADMIN_EMAIL</code> and <code>ADMIN_PASSWORD</code> to the login that you want, and{' '}
              <code>DATA_DIR</code> to a new folder, or with PostgreSQL <code>DATABASE_URL</code> to an empty database.
            </li>
            <li>Start the site again: your library is empty, and nothing of the demo is in it.</li>
          </ol>
        </WorkSection>
      ) : null}
    </WorkPage>
  )
}
