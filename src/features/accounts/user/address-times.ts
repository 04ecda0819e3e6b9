/** How long a link confirms an address: of a new account, and of one that takes another address. */
export const confirmationDays = 7
export const changeHours = 24

export const linkValidForMs = { confirmation: confirmationDays * 86_400_000, change: changeHours * 3_600_000 } as const

/** When an address that was asked for at this instant is not waited for any longer, in milliseconds since 1970. */
export function endOfChange(requestedAt: Date): number {
  return requestedAt.getTime() + linkValidForMs.change
}
