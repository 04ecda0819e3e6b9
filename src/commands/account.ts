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
`,
  run: runAccount,
}

async function runAccount(args: string[], withApp: WithApp): Promise<number> {
  const [action, ...rest] = args
  if (action !== 'unlock' && action !== 'remove-factors') {
    throw new UsageError('The command account is followed by unlock or remove-factors.')
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
