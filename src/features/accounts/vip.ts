/** Whether a membership is in force at this instant: its end lies ahead, and nobody has disabled it. */
export function isVipNow(member: { vip_expires_at: Date | null; vip_disabled: boolean }, now: number): boolean {
  return member.vip_expires_at !== null && member.vip_expires_at.getTime() > now && !member.vip_disabled
}
