import { setSafetyOfficerByOperator } from '../features/accounts/administrators/safety-officer.server.ts'
import { removeFactorsByOperator } from '../features/accounts/factors/remove-factors.server.ts'
import { unlockAccount } from '../features/accounts/sign-in/unlock-account.server.ts'
import { withMail } from './with-mail.ts'
import { type Command, readArguments, UsageError, type WithApp } from './command.ts'

export const accountCommand: Command = {
  usage: `  account unlock EMAIL
      Forgets what was counted of right and wrong passwords for an account: its next sign-in is not made to wait.
  account remove-factors EMAIL
      Removes the passkeys, the authenticator app and the recovery codes of an account, also of an administrator, and
      ends its sessions. Its member is told by email, and signs in with the password alone.
  account safety-officer EMAIL [--remove]
      Names an administrator as a safety officer, who sees notices about children; --remove takes the mark away. The last
      one stays. It is told by email to them and to every administrator, as soon as the server runs.
`,
  run: runAccount,
}

async function runAccount(args: string[], withApp: WithApp): Promise<number> {
  const [action, ...rest] = args
  if (action === 'safety-officer') return runSafetyOfficer(rest, withApp)
  if (action !== 'unlock' && action !== 'remove-factors') {
    throw new UsageError('The command account is followed by unlock, remove-factors or safety-officer.')
  }
  const [email] = readArguments(rest, {}, 1).positionals
  if (email === undefined) throw new UsageError(`The command account ${action} needs an email address.`)
  if (action === 'remove-factors') {
    const wasThere = await withMail(withApp, (app) => removeFactorsByOperator(app, { email }))
    process.stdout.write(wasThere ? `The second factor of ${email} is removed.\n` : `${email} has no second factor.\n`)
    return 0
  }
  return withApp(async (app) => {
    await unlockAccount(app, { email })
    process.stdout.write(`${email} need not wait to sign in any more.\n`)
    return 0
  })
}

async function runSafetyOfficer(args: string[], withApp: WithApp): Promise<number> {
  const { values, positionals } = readArguments(args, { remove: { type: 'boolean', default: false } }, 1)
  const [email] = positionals
  if (email === undefined) throw new UsageError('The command account safety-officer needs an email address.')
  return withMail(withApp, async (app) => {
    await setSafetyOfficerByOperator(app, { email, isOfficer: !values.remove })
    process.stdout.write(values.remove ? `${email} is no safety officer now.\n` : `${email} is a safety officer now.\n`)
    return 0
  })
}
