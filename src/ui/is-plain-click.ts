import type { MouseEvent } from 'react'

/** Whether a click on a link asks for nothing but the link: no new tab or window, no download. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
