/**
 * Makes calls of which one runs at a time for each subject. A call that is begun meanwhile for the same subject is not made:
 * whoever waits for it gets the outcome of the one under way. State that a page shows is a render too late for the second of
 * two quick clicks.
 * @param whenDrawn calls back once the page shows the outcome: until then it still offers what was done
 */
export function oneAtATime<T>(
  whenDrawn: (release: () => void) => void,
): (subject: string, call: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (subject, call) => {
    const underWay = running.get(subject)
    if (underWay !== undefined) return underWay
    const begun = call()
    running.set(subject, begun)
    const end = (): void => whenDrawn(() => running.delete(subject))
    begun.then(end, end)
    return begun
  }
}
