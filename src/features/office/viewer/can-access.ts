import type { Access } from '../../../http/route.ts'
import type { Viewer } from './viewer.ts'

/** The kinds of access that guard whole parts of the site. */
export type GuardedAccess = Extract<Access, 'vip' | 'admin'>

/** Whether a caller with these roles may enter: administrators may enter the VIP area (docs/spec/access.md). */
export function rolesOpen(access: GuardedAccess, { isVip, isAdmin }: { isVip: boolean; isAdmin: boolean }): boolean {
  return isAdmin || (access === 'vip' && isVip)
}

export function canAccess(access: GuardedAccess, { roles }: Pick<Viewer, 'roles'>): boolean {
  return rolesOpen(access, { isVip: roles.has('vip'), isAdmin: roles.has('admin') })
}
