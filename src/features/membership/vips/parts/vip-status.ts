import { notDefined, type VipUser } from '../vip-schema.ts'

export type VipStatus = 'Disabled' | 'Expired' | 'Active'

/** How a row of the lists is shown (docs/spec/membership.md#vip-lists). */
export function vipStatusOf({ vipDisabled, vipExpirationDate }: VipUser, now: number): VipStatus {
  if (vipDisabled) return 'Disabled'
  return hasEnded(vipExpirationDate, now) ? 'Expired' : 'Active'
}

/** Whether a row has actions. */
export function hasEnded(vipExpirationDate: VipUser['vipExpirationDate'], now: number): boolean {
  return vipExpirationDate === notDefined || !(Date.parse(vipExpirationDate) > now)
}

export const vipTints = { Disabled: 'is-off', Expired: 'is-danger', Active: 'is-good' } as const
