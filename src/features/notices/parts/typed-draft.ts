import type { Typed } from '../intake/typed-notice.ts'

/* A draft of a form about notices stays in this tab until it is sent, over a reload and a lost connection. A closed
   tab forgets it. */

const keyOf = (form: string): string => `daybook.notice.${form}`

export function readDraft(form: string): Typed {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}')
    if (typeof draft !== 'object' || draft === null) return {}
    return Object.fromEntries(Object.entries(draft).filter(([, value]) => typeof value === 'string')) as Typed
  } catch {
    return {}
  }
}

export function writeDraft(form: string, draft: Typed): void {
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(draft))
  } catch {
    // The form still holds it.
  }
}

export function dropDraft(form: string): void {
  try {
    sessionStorage.removeItem(keyOf(form))
  } catch {
    // A browser that stores nothing has nothing to drop.
  }
}
