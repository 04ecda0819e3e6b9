import type { NavigateFunction } from 'react-router'
import { wayTo } from '../../../accounts/parts/auth-links.ts'
import { memoryStore, noteSign, toggleSaved } from '../memory/memory-store.ts'
import { noteWish, takeWish } from '../memory/wish.ts'
import type { SharePanel } from './share-panel.tsx'

interface Shown {
  setSaved: (isSaved: boolean) => void
  say: (sentence: string) => void
}

let isBusy = false

/** Shows whether the reader has saved an entry, from now on. A wish that waited for a sign-in is carried out. */
export async function watchSaved(
  slug: string,
  { setSaved, say, signal }: Shown & { signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) return
  const draw = (): void => setSaved(memoryStore.read()?.saved.has(slug) === true)
  signal.addEventListener('abort', memoryStore.subscribe(draw))
  await noteSign()
  draw()
  const wished = takeWish()
  if (wished === undefined || memoryStore.read()?.saved.has(wished) === true) return
  const { failure } = await toggleSaved(wished)
  say(failure ?? 'Saved to your account.')
}

/** Saves an entry, or takes it out. A guest signs in first. */
export async function pressSave(
  slug: string,
  { isMember, setSaved, say, navigate }: Shown & { isMember: boolean; navigate: NavigateFunction },
): Promise<void> {
  if (!isMember) {
    noteWish(slug)
    await navigate(wayTo('/login', window.location.pathname))
    return
  }
  // A second press while the first is on its way would undo it unseen.
  if (isBusy) return
  isBusy = true
  try {
    const { isSaved, failure } = await toggleSaved(slug)
    setSaved(isSaved)
    say(failure ?? (isSaved ? 'Saved to your account.' : 'Removed from your saved entries.'))
  } finally {
    isBusy = false
  }
}

export async function loadSharePanel(): Promise<typeof SharePanel> {
  return (await import('./share-panel.tsx')).SharePanel
}
