export interface OneAtATime<T> {
  /** Makes the call, unless one about the same subject is under way: then its outcome is the answer. */
  once(subject: string, call: () => Promise<T>): Promise<T>
  /** The page shows the outcomes of all that has settled: the next call about these subjects is made. */
  drawn(): void
}

/**
 * Makes calls of which one runs at a time for each subject. A second call for the same subject gets the outcome of the
 * one under way: state that a page shows is a render too late for the second of two quick clicks.
 * @param onSettled called with each outcome; until it calls `drawn` the page still offers the act
 */
export function oneAtATime<T>(onSettled: () => void): OneAtATime<T> {
  const running = new Map<string, Promise<T>>()
  const settled = new Set<string>()
  return {
    once(subject, call) {
      const underWay = running.get(subject)
      if (underWay !== undefined) return underWay
      const begun = call()
      running.set(subject, begun)
      const end = (): void => {
        settled.add(subject)
        onSettled()
      }
      begun.then(end, end)
      return begun
    },
    drawn() {
      for (const subject of settled) running.delete(subject)
      settled.clear()
    },
  }
}
