/** A value that this browser remembers for all its tabs; null where it remembers nothing, as a server or a browser without storage. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Without storage it holds for this page alone. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Nobody is told: it was no promise.
  }
}
