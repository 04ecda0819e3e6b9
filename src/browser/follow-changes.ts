import { followers } from './changes.ts'

/**
 * Tells what counts of other things, such as the navigation, that something of this site has changed. It stands apart from
 * the calls that tell it: no public page loads it.
 * @returns ends it
 */
export function subscribeChanges(follow: (path?: string) => void): () => void {
  followers.add(follow)
  return () => void followers.delete(follow)
}
