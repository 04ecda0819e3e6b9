/**
 * A reference as it was typed, as it is stored: letters that Crockford's base32 leaves out are read as the digits they look like,
 * and case does not matter. Browser-safe.
 * @returns undefined for what cannot be one
 */
export function readReference(typed: string): string | undefined {
  const text = typed.trim().toUpperCase()
  const plain = `N-${text.slice(2).replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`
  return text.startsWith('N-') && /^N-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/.test(plain) ? plain : undefined
}
