/** Folds an address: composed, trimmed, in lower case. Addresses that fold to the same text are the same account. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}
