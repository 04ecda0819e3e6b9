import { memoryStore, noteSign, toggleSaved } from '../memory/memory-store.ts'
import { takeWish } from '../memory/wish.ts'
import type { SharePanel } from './share-panel.tsx'

export { pressSave } from '../memory/memory-store.ts'

interface Shown {
  setSaved: (isSaved: boolean) => void
  say: (sentence: string) => void
}

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

export async function loadSharePanel(): Promise<typeof SharePanel> {
  return (await import('./share-panel.tsx')).SharePanel
}
