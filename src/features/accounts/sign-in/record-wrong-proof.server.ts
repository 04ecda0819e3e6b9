import type { AccountsApp } from '../app.ts'

/** This many wrong proofs of one administrator within 15 minutes raise an alarm, the most that strangers may try. */
const manyForAdministrator = 10

/**
 * A wrong password for an account that there is, at the sign-in or as a proof, or a wrong second factor: it is counted for
 * the audit log. Many of them for an administrator are an alarm (docs/spec/security.md#alarms).
 */
export function recordWrongProof(
  { countedEvents, alarms }: Pick<AccountsApp, 'countedEvents' | 'alarms'>,
  action: 'session.refused' | 'factor.refused' | 'proof.refused',
  { id, isAdmin }: { id: string; isAdmin: boolean },
): void {
  const times = countedEvents.count({ action, key: id })
  if (!isAdmin || times < manyForAdministrator) return
  if (action === 'factor.refused') {
    alarms.raise({
      name: `wrong-factors ${id}`,
      headline: "Many wrong second factors for an administrator's account",
      sentence: `There were ${manyForAdministrator} wrong codes or passkeys or more for the account of an administrator within 15 minutes, each after the right password. Further ones have to wait.`,
      advice:
        'Ask that administrator whether it was they. If not, somebody knows their password: have them change it at once. The audit log says from which networks it was tried.',
      to: `/admin/people/${id}`,
    })
    return
  }
  alarms.raise({
    name: `wrong-passwords ${id}`,
    headline: "Many wrong passwords for an administrator's account",
    sentence: `There were ${manyForAdministrator} wrong passwords or more for the account of an administrator within 15 minutes. Further ones have to wait. Whoever knows the password and uses a device that the site knows signs in as always.`,
    advice:
      'Ask that administrator whether it was they. If not, somebody guesses: have them choose a long password that they use nowhere else. The audit log says from which networks it was tried.',
    to: `/admin/people/${id}`,
  })
}
