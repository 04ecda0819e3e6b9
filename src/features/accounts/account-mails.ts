import { z } from 'zod'
import { defineEmail } from '../../platform/email/email-kind.ts'
import { factorChanges } from './factors/factor-change.ts'

/** The acts that every administrator is notified of (docs/spec/security.md#told-by-email). */
export const graveActions = [
  'role.granted',
  'role.withdrawn',
  'role.safety_officer_named',
  'role.safety_officer_withdrawn',
  'members.exported',
  'members.imported',
  'account.erased',
  'address.changed',
  'email.changed',
] as const
export type GraveAction = (typeof graveActions)[number]

/** The reader as they were when the email was queued: a deleted account can be written to in no other way. */
export const Reader = z.object({ email: z.string(), name: z.string() })
export type Reader = z.infer<typeof Reader>

/** A person as an email names them. A deleted account may have an id alone. */
const NamedPerson = Reader.extend({ id: z.string() })
export type NamedPerson = z.infer<typeof NamedPerson>

const NamedActor = z.union([NamedPerson, z.enum(['operator', 'system'])])
export type NamedActor = z.infer<typeof NamedActor>

const Address = z.object({ label: z.string(), before: z.string(), after: z.string() })

const NamedAct = z.object({
  action: z.enum(graveActions),
  by: NamedActor,
  at: z.string(),
  member: NamedPerson.optional(),
  /** How many members it was done to, or with. */
  count: z.int().optional(),
  address: Address.optional(),
})
export type NamedAct = z.infer<typeof NamedAct>

const RoleChange = Reader.extend({ by: NamedActor, at: z.string(), times: z.int() })
export type RoleChange = z.infer<typeof RoleChange>

const Member = z.object({ userId: z.string() })

/** A sign-in from a device that was not known, opened or not. */
const NewDevice = Reader.extend({ device: z.string(), at: z.string() })

const security = { urgency: 'awaited', purpose: 'security' } as const
const requested = { urgency: 'awaited', purpose: 'requested' } as const

export const accountMails = {
  welcome: defineEmail('accounts.welcome', requested, Reader.extend(Member.shape)),
  /** To an address that somebody typed, perhaps nobody's; or to that of a member whom an administrator helps. */
  resetLink: defineEmail(
    'accounts.reset-link',
    { urgency: 'needed', purpose: 'security' },
    z.object({ email: z.string(), isFromAdministrator: z.boolean().default(false) }),
  ),
  passwordChanged: defineEmail('accounts.password-changed', security, Reader),
  appPasswordMade: defineEmail('accounts.app-password-made', security, Reader),
  newDevice: defineEmail('accounts.new-device', security, NewDevice),
  passwordKnown: defineEmail('accounts.password-known', { ...security, title: 'Unfinished sign-in' }, NewDevice),
  /** To a member who was imported. */
  invitation: defineEmail('accounts.invitation', { urgency: 'bulk', purpose: 'security' }, Member),
  deleted: defineEmail(
    'accounts.deleted',
    { ...security, title: 'Account deleted' },
    Reader.extend({ areBansKept: z.boolean() }),
  ),
  confirmAddress: defineEmail('accounts.confirm-address', requested, Member),
  /** To the address that a member wants. */
  changeAddress: defineEmail(
    'accounts.change-address',
    { ...requested, title: 'Confirm new address' },
    Member.extend({ email: z.string() }),
  ),
  addressChangeRequested: defineEmail(
    'accounts.address-change-requested',
    security,
    Reader.extend({ wanted: z.string() }),
  ),
  /** To the address of a member until then. */
  emailChanged: defineEmail(
    'accounts.email-changed',
    { ...security, title: 'Address changed' },
    Reader.extend({ after: z.string() }),
  ),
  factorsChanged: defineEmail(
    'accounts.factors-changed',
    { ...security, title: 'Two-step sign-in changed' },
    Reader.extend({ change: z.enum(factorChanges) }),
  ),
  recoveryCodeUsed: defineEmail('accounts.recovery-code-used', security, Reader.extend({ left: z.int() })),
  administrator: defineEmail('accounts.administrator', { ...security, title: 'Made an administrator' }, RoleChange),
  administratorNoMore: defineEmail(
    'accounts.administrator-no-more',
    { ...security, title: 'No longer an administrator' },
    RoleChange,
  ),
  safetyOfficer: defineEmail('accounts.safety-officer', { ...security, title: 'Named a safety officer' }, RoleChange),
  safetyOfficerNoMore: defineEmail(
    'accounts.safety-officer-no-more',
    { ...security, title: 'No longer a safety officer' },
    RoleChange,
  ),
  /** To every administrator. */
  graveAct: defineEmail(
    'accounts.grave-act',
    { ...security, title: 'Security alert' },
    NamedPerson.extend(NamedAct.shape),
  ),
  graveActs: defineEmail(
    'accounts.grave-acts',
    { ...security, title: 'Several security alerts' },
    NamedPerson.extend({ count: z.int(), acts: z.array(NamedAct) }),
  ),
  /** To the address of the site that was changed. */
  addressChanged: defineEmail(
    'accounts.address-changed',
    { title: 'Address of the site changed', urgency: 'awaited', purpose: 'work' },
    z.object({ address: Address, by: NamedActor, at: z.string(), times: z.int() }),
  ),
}
