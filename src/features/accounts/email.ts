/** What makes two addresses the same account: composed, without blanks around, in lower case. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}
