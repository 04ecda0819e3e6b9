/**
 * Characters that readers take for a Latin letter, in folded text: digits and signs, letters of other scripts, small
 * capitals. Latin letters stand for themselves alone: "fail" is not "fall".
 */
const lookAlikes: Record<string, string> = {
  a: '4@аαɑᴀ',
  b: '68вьβʙ',
  c: 'сᴄ',
  d: 'ԁᴅ',
  e: '3€еєεᴇ',
  f: 'ƒꜰ',
  g: '69ɡɢ',
  h: 'нһηʜ',
  i: '1!|іιӏɪ',
  j: 'јᴊ',
  k: 'кκᴋ',
  l: '1!|іιӏʟ',
  m: 'мμᴍ',
  n: 'пηνɴ',
  o: '0оοσօᴏ',
  p: 'рρᴘ',
  q: 'ԛ',
  r: 'гʀ',
  s: '5$ѕꜱ',
  t: '7+тτᴛ',
  u: 'υսᴜ',
  v: 'νѵᴠ',
  w: 'ωԝѡᴡ',
  x: 'х×χ',
  y: 'уүγυʏ',
  z: '2ζᴢ',
}

/** A pattern, for the flag `u`, of a folded character and all that looks like it. */
export function lookingLike(character: string): string {
  const own = character.replace(/[\\\]^-]/g, String.raw`\$&`)
  return `[${own}${lookAlikes[character] ?? ''}]`
}

const bits = new Map<string, number>()
for (const [place, [letter, alike]] of Object.entries(lookAlikes).entries()) {
  for (const character of [letter, ...alike]) bits.set(character, (bits.get(character) ?? 0) | (1 << place))
}

/** A bit for each Latin letter that a folded character may stand for. */
export function latinBits(character: string): number {
  return bits.get(character) ?? 0
}

export function looksLike(character: string): Set<string> {
  return new Set([character, ...(lookAlikes[character] ?? '')])
}
