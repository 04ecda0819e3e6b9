import { StatePage } from '../../../ui/state-page.tsx'

/** A part of the house that has a door already and no room behind it: says so, and whom to ask meanwhile. */
export function NotOpenYet({ contactEmail }: { contactEmail: string }) {
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title="This part of the library is not open yet."
        steps={
          <a className="button button-solid" href={`mailto:${contactEmail}`}>
            {`Write to ${contactEmail}`}
          </a>
        }
      >
        <p>Until it opens, the operator answers by mail.</p>
      </StatePage>
    </div>
  )
}
