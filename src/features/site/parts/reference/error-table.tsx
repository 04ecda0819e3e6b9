import { errorAnchor, type ErrorReference } from '../../reference/reference.ts'

export function ErrorTable({ codes }: { codes: readonly ErrorReference[] }) {
  return (
    // Reached by keyboard, so that it can be scrolled by it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="reference-scroll" role="region" aria-label="Error codes" tabIndex={0}>
      <table className="reference-errors">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">Sentence</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {codes.map(({ code, statuses, sentences, remedy }) => (
            <tr key={code} id={errorAnchor(code)}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td>{statuses}</td>
              <td>
                {sentences.map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </td>
              <td>{remedy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
