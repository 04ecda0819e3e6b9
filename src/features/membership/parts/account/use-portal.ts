import { useEffect, useRef, useState } from 'react'
import { callApi, NetworkError } from '../../../../browser/api-client.ts'
import { portalOutcome, type Message } from '../payment/payment-replies.ts'

export interface Portal {
  isOpening: boolean
  message: Message | undefined
  /** Its address, where the browser allowed no new tab. */
  address: string | undefined
  open(): void
}

/**
 * The way to the billing portal, in a new tab. The server makes its address on each click, so the tab is opened in the
 * click itself, which is when a browser allows it, and led on when the address has come.
 */
export function usePortal(): Portal {
  const [isOpening, setIsOpening] = useState(false)
  const [message, setMessage] = useState<Message>()
  const [address, setAddress] = useState<string>()
  const isBusy = useRef(false)
  const isHere = useRef(false)

  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  const open = async (): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setIsOpening(true)
    setMessage(undefined)
    setAddress(undefined)
    const tab = window.open('about:blank', '_blank')
    if (tab !== null) {
      // It opens another site.
      tab.opener = null
      tab.document.title = 'Opening the billing portal…'
    }
    try {
      const outcome = portalOutcome(await request())
      const isTabHere = tab !== null && !tab.closed
      if (!isHere.current || 'message' in outcome) tab?.close()
      if (!isHere.current) return
      if ('message' in outcome) setMessage(outcome.message)
      else if (isTabHere) tab.location.replace(outcome.url)
      else setAddress(outcome.url)
    } catch (error) {
      tab?.close()
      throw error
    } finally {
      isBusy.current = false
      setIsOpening(false)
    }
  }

  return { isOpening, message, address, open: () => void open() }
}

/** @returns undefined when no answer came */
async function request() {
  try {
    return await callApi('/stripe-portal/create-portal-session', { method: 'POST', body: {} })
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
