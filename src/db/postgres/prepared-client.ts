import pg from 'pg'

const marked = /^\s*\/\* prepared: ([a-z-]+) \*\//

/**
 * A client that prepares each statement marked by a comment once on its connection, under the name that
 * the comment gives it. For the few that are asked all the time, whose planning is worth saving.
 */
export class PreparedClient extends pg.Client {
  // The driver has many ways to call this; the query builder has this one.
  override query(...given: unknown[]): never {
    const [text, values] = given
    const name = typeof text === 'string' ? marked.exec(text)?.[1] : undefined
    const requested = name === undefined ? given : [{ name, text, values }, ...given.slice(2)]
    return (super.query as (...all: unknown[]) => never).apply(this, requested)
  }
}
