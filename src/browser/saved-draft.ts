/**
 * Unsent text of a form, saved in this browser so that no reload loses it. Signing out deletes it; a session that
 * merely ends leaves it to the same person.
 */

const prefix = 'draft '

/** @param whose the email of the person who types */
export function saveDraft(whose: string, form: string, content: unknown): void {
  try {
    localStorage.setItem(keyOf(whose, form), JSON.stringify(content))
  } catch {
    // Without storage the form still holds it.
  }
}

export function readDraft(whose: string, form: string): unknown {
  try {
    const text = localStorage.getItem(keyOf(whose, form))
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

export function dropDraft(whose: string, form: string): void {
  try {
    localStorage.removeItem(keyOf(whose, form))
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** For everybody. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Without storage there is nothing to delete.
  }
}

function keyOf(whose: string, form: string): string {
  return `${prefix}${whose.toLowerCase()} ${form}`
}
