import { useEffect } from 'react'

/** The control under the pointer, and its text. */
interface Aim {
  control: Element | null
  words: string | null
}

/** Within this time and this far apart, two taps are one gesture. */
const gestureMs = 300
const gesturePx = 16

const controls = 'a, button, input, select, textarea, label, summary, [role="button"]'

/**
 * Whether a click is the second of a double click that was meant for something else: what stands there now has come under
 * the pointer, or says something else than what was clicked first. Clicks with the keyboard are none.
 */
export function isStray(now: Aim, before: Aim | undefined): boolean {
  if (before === undefined || now.control === null) return false
  return now.control !== before.control || now.words !== before.words
}

/** Two quick clicks of a mouse that its browser does not count as one double click are meant as two. */
function isOfMouse(event: MouseEvent): boolean {
  return 'pointerType' in event && event.pointerType === 'mouse'
}

function isOfLabel(label: Element | null | undefined, control: Element | null): boolean {
  return label instanceof HTMLLabelElement && control !== null && label.control === control
}

/**
 * While the page stands, the second click of a double click does only what the first has done. A page that answers at once
 * moves, or gives its buttons another meaning, between the two.
 */
export function useNoStrayClicks(): void {
  useEffect(() => {
    let before: (Aim & { at: number; x: number; y: number }) | undefined
    const look = (event: MouseEvent): void => {
      // Clicks of the keyboard or a script have no place.
      if (event.detail === 0 || !(event.target instanceof Element)) return
      const control = event.target.closest(controls)
      const aim = { control, words: control?.textContent ?? null }
      const { clientX: x, clientY: y, timeStamp: at } = event
      // The click that a label makes on its control is the same click.
      if (isOfLabel(before?.control, control) && at === before?.at) return
      const isSecond =
        event.detail > 1 ||
        (!isOfMouse(event) &&
          before !== undefined &&
          at - before.at < gestureMs &&
          Math.abs(x - before.x) < gesturePx &&
          Math.abs(y - before.y) < gesturePx)
      if (isSecond && isStray(aim, before)) {
        event.preventDefault()
        event.stopImmediatePropagation()
        return
      }
      before = { ...aim, at, x, y }
    }
    // Typing or choosing between two clicks makes two gestures of them.
    const end = (event: Event): void => {
      const control = event.target instanceof Element ? event.target.closest(controls) : null
      if (control !== before?.control && !isOfLabel(before?.control, control)) before = undefined
    }
    // Nor does it select a word of what has come there, such as a dialog.
    const press = (event: MouseEvent): void => {
      if (event.detail < 2 || before?.control == null || !(event.target instanceof Element)) return
      if (event.target.closest(controls) === null) event.preventDefault()
    }
    const others = ['keydown', 'input', 'change'] as const
    document.addEventListener('click', look, true)
    document.addEventListener('mousedown', press, true)
    for (const type of others) document.addEventListener(type, end, true)
    return () => {
      document.removeEventListener('click', look, true)
      document.removeEventListener('mousedown', press, true)
      for (const type of others) document.removeEventListener(type, end, true)
    }
  }, [])
}
