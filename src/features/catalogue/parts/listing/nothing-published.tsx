import { Link } from 'react-router'
import { StatePage } from '../../../../ui/state-page.tsx'

/** A list without any entry; administrators are led to where entries come from. */
export function NothingPublished({ title, isAdmin }: { title: string; isAdmin: boolean }) {
  return (
    <StatePage
      drawing="empty"
      title={title}
      level={2}
      steps={
        isAdmin ? (
          <>
            <Link className="button button-solid" to="/admin/import">
              Import a catalogue
            </Link>
            <Link className="button" to="/admin/settings?edit=new">
              Add New Content
            </Link>
          </>
        ) : undefined
      }
    >
      <p>Nothing has been published here yet.</p>
    </StatePage>
  )
}
