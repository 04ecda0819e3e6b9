/**
 * Typed text of a form, in this tab until it is sent: over a reload, a sign-in and a lost connection. A closed tab
 * forgets it.
 */

const keyOf = (form: string): string => `daybook.draft.${form}`

export function readTabDraft(form: string): Readonly<Record<string, string | undefined>> {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}')
    if (typeof draft !== 'object' || draft === null) return {}
    return Object.fromEntries(Object.entries(draft).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

export function writeTabDraft(form: string, draft: Readonly<Record<string, string | undefined>>): void {
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(draft))
  } catch {
    // The form still holds it.
  }
}

export function dropTabDraft(form: string): void {
  try {
    sessionStorage.removeItem(keyOf(form))
  } catch {
    // Without storage there is nothing to drop.
  }
}
