import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether the browser is sending a form: two clicks are one. A page from the back-forward cache can send again. */
export function useSentOnce(): { isSending: boolean; isBusy: RefObject<boolean>; send: () => void } {
  const [isSending, setIsSending] = useState(false)
  /** The state is a render too late for the second of two clicks. */
  const isBusy = useRef(false)
  useEffect(() => {
    const wake = (): void => {
      isBusy.current = false
      setIsSending(false)
    }
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])
  return {
    isSending,
    isBusy,
    send() {
      isBusy.current = true
      setIsSending(true)
    },
  }
}
