import { useEffect, useState } from 'react'

/**
 * The moment at which an answer was first shown, in milliseconds since 1970: 'just now' in it stays 'just now' until another
 * answer comes.
 */
export function useAnsweredAt(answer: object): number {
  const [shown, setShown] = useState(() => ({ answer, at: Date.now() }))
  useEffect(() => {
    setShown((before) => (before.answer === answer ? before : { answer, at: Date.now() }))
  }, [answer])
  return shown.at
}
