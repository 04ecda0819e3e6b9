import type { PasskeyForMember, TotpSetup } from '../../factors/factor-schema.ts'

export type OpenFactor =
  | { name: 'add-passkey'; proposed: string }
  | { name: 'rename-passkey'; passkey: PasskeyForMember }
  | { name: 'remove-passkey'; passkey: PasskeyForMember; isLast: boolean }
  | { name: 'set-up-totp'; setup: TotpSetup }
  | { name: 'remove-totp'; isLast: boolean }
  | { name: 'renew-codes' }
  /** `isFirst`: they came with the first factor. */
  | { name: 'codes'; codes: readonly string[]; isFirst: boolean }

/** How a dialog of a factor ends well. */
export interface FactorDialogProps {
  /** Something has changed. @param told says what, below the list; codes that came with it are shown first. */
  onDone: (message: string, codes?: { codes: readonly string[]; isFirst: boolean }) => void
  onClose: () => void
}

export const factorsPath = '/auth/factors'
export const passkeysPath = '/auth/passkeys'
export const totpPath = '/auth/totp'
export const recoveryCodesPath = '/auth/recovery-codes'
