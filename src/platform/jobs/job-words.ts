/**
 * A job's name as a person reads it: 'catalogue.restrict-lapsed' is 'Catalogue: restrict lapsed'.
 * @param email the title of the email that it sends
 */
export function jobInWords(name: string, email: string | null = null): string {
  if (name === 'mail') return email === null ? 'Email' : `Email: ${email.charAt(0).toLowerCase()}${email.slice(1)}`
  return capitalised(inWords(name).join(': '))
}

/** The kind of an email that has no title of its own: 'accounts.confirm-address' is 'Confirm address'. */
export function emailInWords(kind: string): string {
  return capitalised(inWords(kind).at(-1) ?? '')
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function inWords(name: string): string[] {
  return name.split('.').map((part) => part.replaceAll(/[-_]/g, ' '))
}
