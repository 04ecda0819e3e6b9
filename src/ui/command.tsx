import { Fragment } from 'react'

/** A line for the command line, no word of it twice: it breaks between its words, and never at their dashes. */
export function Command({ line }: { line: string }) {
  return (
    <code>
      {line.split(' ').map((word) => (
        <Fragment key={word}>
          <span>{word}</span>{' '}
        </Fragment>
      ))}
    </code>
  )
}
