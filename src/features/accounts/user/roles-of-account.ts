import type { AccountsConfig } from '../accounts-config.server.ts'
import type { Role } from '../../office/viewer/viewer.ts'

/**
 * The roles that an account gives by itself, as far as they are in force: an administrator without a second factor, where the
 * site asks for one, has none (docs/spec/accounts.md#required-factor).
 */
export function rolesOfAccount(
  user: { is_admin: boolean; is_safety_officer: boolean; has_second_factor: boolean },
  { requiresAdminSecondFactor }: Pick<AccountsConfig, 'requiresAdminSecondFactor'>,
): readonly Role[] {
  if (!user.is_admin || (requiresAdminSecondFactor && !user.has_second_factor)) return []
  return user.is_safety_officer ? ['admin', 'safety-officer'] : ['admin']
}
