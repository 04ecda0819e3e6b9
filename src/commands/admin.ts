import { demoteAdministrator } from '../features/accounts/administrators/demote-administrator.server.ts'
import { listAdministrators } from '../features/accounts/administrators/list-administrators.server.ts'
import { makeAdministrator } from '../features/accounts/administrators/make-administrator.server.ts'
import { setSafetyOfficerByOperator } from '../features/accounts/administrators/safety-officer.server.ts'
import { Passwords } from '../features/accounts/passwords/passwords.server.ts'
import { checkPerson } from '../features/accounts/user/registration.ts'
import { promptPassword } from '../platform/cli/ask-password.ts'
import { type Command, readArguments, UsageError, type WithApp } from './command.ts'
import { withMail } from './with-mail.ts'

export const adminCommand: Command = {
  usage: `  admin create EMAIL [--name NAME]
      Makes an administrator, with the password that is asked for, or read from standard input when that is no terminal.
      An account that exists gets it too, and its sessions end.
  admin demote EMAIL
      Makes an administrator a member again. The last one stays.
      The member and every administrator are notified of both by email, as soon as the server runs.
  admin safety-officer EMAIL [--remove]
      Names an administrator as a safety officer, who sees notices about children; --remove takes the mark away. The last
      one stays. It is told by email to them and to every administrator, as soon as the server runs.
  admin list
      Lists the administrators, and says who is a safety officer.
`,
  run: runAdmin,
}

async function runAdmin(args: string[], withApp: WithApp): Promise<number> {
  const [action, ...rest] = args
  if (action === 'create') return runAdminCreate(rest, withApp)
  if (action === 'demote') return runAdminDemote(rest, withApp)
  if (action === 'safety-officer') return runSafetyOfficer(rest, withApp)
  if (action === 'list') return runAdminList(rest, withApp)
  throw new UsageError('The command admin is followed by create, demote, safety-officer or list.')
}

async function runAdminCreate(args: string[], withApp: WithApp): Promise<number> {
  const { values, positionals } = readArguments(args, { name: { type: 'string', default: 'Administrator' } }, 1)
  const [email] = positionals
  if (email === undefined) throw new UsageError('The command admin create needs an email address.')
  // Before anybody thinks of a password.
  const problem = checkPerson({ name: values.name, email })
  if (problem !== undefined) throw new Error(problem.message)
  return withMail(withApp, async (app) => {
    // Also for an account that exists: anybody may have registered with that address.
    const password = await promptPassword(`New password for ${email}: `)
    const accounts = { ...app, passwords: await Passwords.open() }
    const what = await makeAdministrator(accounts, { email, name: values.name, password })
    process.stdout.write(
      what === 'created'
        ? `${email} is an administrator now.\n`
        : `${email} had an account, and is an administrator now.\n`,
    )
    return 0
  })
}

async function runAdminDemote(args: string[], withApp: WithApp): Promise<number> {
  const [email] = readArguments(args, {}, 1).positionals
  if (email === undefined) throw new UsageError('The command admin demote needs an email address.')
  return withMail(withApp, async (app) => {
    await demoteAdministrator(app, { email })
    process.stdout.write(`${email} is a member now.\n`)
    return 0
  })
}

async function runSafetyOfficer(args: string[], withApp: WithApp): Promise<number> {
  const { values, positionals } = readArguments(args, { remove: { type: 'boolean', default: false } }, 1)
  const [email] = positionals
  if (email === undefined) throw new UsageError('The command admin safety-officer needs an email address.')
  return withMail(withApp, async (app) => {
    await setSafetyOfficerByOperator(app, { email, isOfficer: !values.remove })
    process.stdout.write(values.remove ? `${email} is no safety officer now.\n` : `${email} is a safety officer now.\n`)
    return 0
  })
}

async function runAdminList(args: string[], withApp: WithApp): Promise<number> {
  readArguments(args, {}, 0)
  return withApp(async (app) => {
    const administrators = await listAdministrators(app)
    for (const { email, name, is_safety_officer: isOfficer } of administrators)
      process.stdout.write(`${email}\t${name}${isOfficer ? '\tsafety officer' : ''}\n`)
    return 0
  })
}
