/** Those that are told of a change (`follow-changes.ts`). */
export const followers = new Set<(path?: string) => void>()

/** Called with its path by a call that has written, and by a page that saw work of the server come to its end. */
export function notifyChange(path?: string): void {
  for (const follow of followers) follow(path)
}
