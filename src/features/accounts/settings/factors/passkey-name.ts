import type { Refusal } from '../../../office/parts/use-submission.ts'

/** As the server has it (docs/spec/accounts.md#second-factor). */
export const maxPasskeyNameLength = 60

/** The server's name of a device that it cannot make out. */
const unknownDevice = 'Unknown device'

/** The rule for the name of a passkey that the browser can ask. */
export function checkPasskeyName(typed: string): Refusal | undefined {
  return typed.trim() === '' ? { field: 'name', message: 'Name is required' } : undefined
}

/**
 * A name for one more passkey: that of this device, and a number where there is one of that name already.
 * @param device as the server calls it; undefined while that is not known
 */
export function proposedPasskeyName(device: string | undefined, taken: readonly { name: string }[]): string {
  const first = device === undefined || device === unknownDevice ? 'Passkey' : device
  const names = new Set(taken.map(({ name }) => name.toLowerCase()))
  let name = first
  for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${first} ${number}`
  return name
}
