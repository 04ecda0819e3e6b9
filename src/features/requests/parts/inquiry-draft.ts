import type { TypedInquiry } from '../support/inquiry-rules.ts'

/** In this tab alone: an inquiry that was refused waits there while its writer signs in. */
const key = 'daybook.inquiry'

export function readDraft(): TypedInquiry | undefined {
  try {
    const { name, email, message } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, unknown>
    if (typeof name !== 'string' || typeof email !== 'string' || typeof message !== 'string') return undefined
    return { name, email, message }
  } catch {
    return undefined
  }
}

export function writeDraft(draft: TypedInquiry): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // The form still holds it.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // A browser that stores nothing has nothing to drop.
  }
}
