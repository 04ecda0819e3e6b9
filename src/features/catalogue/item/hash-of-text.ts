/** 32 bits that are always the same for the same text (FNV-1a). Browser-safe. */
export function hashOfText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
