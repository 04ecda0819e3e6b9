import type { Door } from '../../platform/doors.ts'

/** The doors of whole parts of the site. */
export type RoleDoor = Extract<Door, 'vip' | 'admin'>

/** Whether the door opens for a caller with these roles: administrators may enter the VIP part (PRODUCT.md, section 2). */
export function mayEnter(door: RoleDoor, { isVip, isAdmin }: { isVip: boolean; isAdmin: boolean }): boolean {
  return isAdmin || (door === 'vip' && isVip)
}
