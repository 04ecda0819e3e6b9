import { current, subscribeSession } from './session-store.ts'

/*
 * The server answers some calls only to who has proved a short time ago who they are (docs/spec/accounts.md#proof). Every
 * call comes by here: it is asked for the proof in a dialog and made again, so no page needs to know which calls these are.
 */

/** The question of the dialog: whether it is still the person of this session. */
export interface ProofQuestion {
  /** Tells it from the one before. */
  readonly id: number
  readonly token: string
}

interface Asking {
  question: ProofQuestion
  answer: Promise<boolean>
  settle: (isProved: boolean) => void
  /** How many calls wait for it. */
  waiting: number
}

let asking: Asking | undefined
let asked = 0
/** The last proof of this page, as `performance.now()` has it. */
let proved: { token: string; at: number } | undefined
const listeners = new Set<() => void>()

/** Without dialogs so long after a question, nothing can ask it. */
const headerWithinMs = 10_000

/** The error of a form whose dialog was closed without a proof. */
const unprovedSentence = 'Your password was not confirmed, so nothing was done. Please try again.'

/**
 * Makes a call; where the server wants a proof first, it is asked for, and the call made once more as it was.
 * @returns the answer; without a proof the refusal, with a sentence that says so
 */
export async function withProof<Answer extends { status: number; data: unknown }>(
  token: string | undefined,
  signal: AbortSignal | undefined,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const sentAt = performance.now()
  const answer = await send()
  if (token === undefined || !isProofNeeded(answer)) return answer
  if (await askForProof(token, { since: sentAt, signal })) return send()
  return { ...answer, data: unproved }
}

export const unproved = { code: 'proof.needed', error: unprovedSentence, message: unprovedSentence }

/**
 * Asks the member for a proof. Callers share an open dialog and its result.
 * @param call.since when the call was sent that was refused: a proof that was given since then is one for it, too
 * @param call.signal ends the call: nothing waits for it any more
 * @returns whether it was proved; false also where nothing comes that can ask
 */
export async function askForProof(
  token: string,
  { since, signal }: { since?: number; signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  if (since !== undefined && proved?.token === token && proved.at >= since) return true
  if (current().session?.token !== token || signal?.aborted === true) return false
  const mine = asking ?? begin(token)
  mine.waiting += 1
  const answered = new AbortController()
  const left = new Promise<boolean>((resolve) => {
    signal?.addEventListener('abort', () => resolve(false), { signal: answered.signal })
  })
  try {
    return await Promise.race([mine.answer, left])
  } finally {
    answered.abort()
    mine.waiting -= 1
    if (mine.waiting === 0) mine.settle(false)
  }
}

export function readQuestion(): ProofQuestion | undefined {
  return asking?.question
}

/** For the one place that shows the dialog. @returns ends it */
export function subscribeQuestions(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) asking?.settle(false)
  }
}

/** Answers a question; one that is answered already stays so. */
export function answerQuestion(question: ProofQuestion, isProved: boolean): void {
  if (asking?.question === question) asking.settle(isProved)
}

function begin(token: string): Asking {
  let resolve: (isProved: boolean) => void = () => undefined
  const answer = new Promise<boolean>((answered) => {
    resolve = answered
  })
  // A member who has signed out, or in as somebody else, is asked nothing more.
  const endFollowing = subscribeSession(() => {
    if (current().session?.token !== token) begun.settle(false)
  })
  const begun: Asking = {
    question: { id: (asked += 1), token },
    answer,
    waiting: 0,
    settle(isProved) {
      if (asking !== begun) return
      asking = undefined
      endFollowing()
      if (isProved) proved = { token, at: performance.now() }
      resolve(isProved)
      notify()
    },
  }
  asking = begun
  notify()
  // The dialogs come with the header of members, which is loaded after the page.
  if (listeners.size === 0)
    setTimeout(() => {
      if (listeners.size === 0) begun.settle(false)
    }, headerWithinMs)
  return begun
}

function notify(): void {
  for (const listener of listeners) listener()
}

function isProofNeeded({ status, data }: { status: number; data: unknown }): boolean {
  return status === 403 && typeof data === 'object' && data !== null && 'code' in data && data.code === 'proof.needed'
}
