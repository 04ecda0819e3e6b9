import { subscribeChanges } from './follow-changes.ts'

/** It writes what no answer of a query shows, and goes along with those of a page that is opened. */
const visitPath = '/account/visit'

let changes = 0
subscribeChanges((path) => {
  if (path !== visitPath) changes += 1
})

/** How many changes this page knows of: an answer that was asked for before the last of them may not show it. */
export function changesSoFar(): number {
  return changes
}

/** Calls that write in a row overtake each answer: the last of so many is taken for the time being. */
const mostQuestions = 3

/** After so long without a change such calls have ended. */
const quietMs = 1000

function whenQuiet(act: () => void): void {
  const before = changes
  setTimeout(() => (changes === before ? act() : whenQuiet(act)), quietMs)
}

/**
 * Asks, and asks again where a change was made before the answer came: that may be of before. A list that is read while
 * something is saved would show it as it was, and the next save would be refused for its old version.
 * @param onOvertaken called once changes in a row have ended that overtook the answer which was taken: time to ask again
 * @throws {unknown} what `ask` throws
 */
export async function askedSinceChange<T>(ask: () => Promise<T>, onOvertaken: () => void): Promise<T> {
  for (let questions = 1; ; questions += 1) {
    const before = changesSoFar()
    const answer = await ask()
    if (changesSoFar() === before) return answer
    if (questions === mostQuestions) {
      whenQuiet(onOvertaken)
      return answer
    }
  }
}
