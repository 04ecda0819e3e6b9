import { type KeyboardEvent, type RefObject, useRef } from 'react'

/** The keys of an open menu: arrows, Home, End, first letters, Escape, Tab. */
export function useMenuKeys(root: RefObject<HTMLElement | null>, close: () => void): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 })

  /** Letters in quick succession are one word. */
  const isTyping = (): boolean => performance.now() - typed.current.at < 600

  /** The same letter again goes on to the next item that begins with it. */
  const toTyped = (key: string, all: HTMLElement[], place: number): void => {
    const text = (isTyping() ? typed.current.text : '') + key.toLowerCase()
    typed.current = { text, at: performance.now() }
    const letters = new Set(text)
    const wanted = letters.size === 1 ? key.toLowerCase() : text
    const from = letters.size === 1 ? place + 1 : Math.max(place, 0)
    all
      .map((_, offset) => all[(from + offset) % all.length])
      .find((item) => item?.textContent?.trim().toLowerCase().startsWith(wanted))
      ?.focus()
  }

  return (event) => {
    const all = itemsIn(root.current)
    const place = all.findIndex((item) => item === document.activeElement)
    const to = (next: number): void => {
      event.preventDefault()
      all[(next + all.length) % all.length]?.focus()
    }
    switch (event.key) {
      case 'ArrowDown':
        to(place + 1)
        return
      case 'ArrowUp':
        to(place === -1 ? -1 : place - 1)
        return
      case 'Home':
        to(0)
        return
      case 'End':
        to(-1)
        return
      case 'Escape':
        event.preventDefault()
        close()
        return
      case 'Tab':
        // The focus moves on from the button, as if the menu had never been there.
        close()
        return
      default:
        if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        if (event.key === ' ' && !isTyping()) all[place]?.click()
        else toTyped(event.key, all, place)
    }
  }
}

export function itemsIn(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
}
