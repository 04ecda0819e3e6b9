import * as z from 'zod/mini'
import { writtenText } from '../../../office/browser/form-rules.ts'

/** As the server has it (docs/spec/accounts.md#second-factor). */
export const maxPasskeyNameLength = 60

/** The server's name of a device that it cannot make out. */
const unknownDevice = 'Unknown device'

/** The form of a passkey's name. */
export const PasskeyName = z.object({ name: writtenText('Name is required') })

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
