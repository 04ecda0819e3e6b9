/** A job's name as a person reads it: 'catalogue.restrict-lapsed' is 'Catalogue: restrict lapsed', an email says of what kind it is. */
export function jobInWords(name: string, emailKind: string | null = null): string {
  if (name === 'mail') return emailKind === null ? 'Email' : `Email: ${inWords(emailKind).at(-1)}`
  return capitalised(inWords(name).join(': '))
}

/** The kind of an email: 'accounts.confirm-address' is 'Confirm address'. */
export function emailInWords(kind: string): string {
  return capitalised(inWords(kind).at(-1) ?? '')
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function inWords(name: string): string[] {
  return name.split('.').map((part) => part.replaceAll(/[-_]/g, ' '))
}
