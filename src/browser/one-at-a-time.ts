/**
 * Makes calls of which one runs at a time for each subject. A call that is begun meanwhile for the same subject is not made:
 * whoever waits for it gets the outcome of the one under way. State that a page shows is a render too late for the second of
 * two quick clicks.
 */
export function oneAtATime<T>(): (subject: string, call: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (subject, call) => {
    const underWay = running.get(subject)
    if (underWay !== undefined) return underWay
    const begun = call()
    running.set(subject, begun)
    // The outcome is drawn in a timer of its own: until then the page still offers what was done.
    const release = (): void => {
      setTimeout(() => running.delete(subject))
    }
    begun.then(release, release)
    return begun
  }
}
