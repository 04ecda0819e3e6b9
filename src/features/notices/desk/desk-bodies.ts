import { z } from 'zod'
import { strictBody } from '../../../http/body-fields.ts'
import { elementNames } from '../notice/notice-elements.ts'
import { grounds, noticeKinds, outcomes } from '../notice/notice-kinds.ts'
import { readReference } from '../notice/reference.ts'
import { maxDecidedAtOnce, maxDecisionText } from './desk-schema.ts'

/* The bodies of the desk's calls (docs/spec/notices.md#desk). */

const versionError = 'version must be the number that the notice was read with.'
const version = z.int({ error: versionError }).min(1, versionError).max(1_000_000_000, versionError)

/** A text of several lines that must be given. */
function text(name: string, description: string, max = maxDecisionText) {
  const error = `${name} must be a text of 1 to ${max.toLocaleString('en-US')} characters.`
  return z
    .string({ error })
    .transform((given) => given.replaceAll('\r\n', '\n').trim())
    .refine((given) => given !== '' && [...given].length <= max && given.isWellFormed() && !given.includes('\0'), error)
    .meta({ description })
}

const personError = (name: string) => `${name} must be the id of an administrator, or null for nobody.`
const person = (name: string) => z.uuid({ error: personError(name) }).nullable()
export const AssigneeBody = strictBody({
  to: person('to').meta({ description: 'Who works on it from now on; null for nobody.' }),
  was: person('was').meta({ description: 'Who worked on it when it was read.' }),
})

export const VersionBody = strictBody({ version }).meta({ id: 'NoticeVersionBody' })

const missingError = `missing must be a list of elements of the form, each once: ${elementNames.join(', ')}.`
export const AskBody = strictBody({
  missing: z
    .array(z.enum(elementNames, { error: missingError }), { error: missingError })
    .min(1, missingError)
    .max(elementNames.length, missingError)
    .refine((all) => new Set(all).size === all.length, missingError),
  message: text('message', 'The message to the sender.'),
  version,
})

export const KindBody = strictBody({
  kind: z.enum(noticeKinds, { error: `kind must be one of ${noticeKinds.join(', ')}.` }),
  version,
})

const addError = 'add must be the address of an entry, or the last part of it, of at most 2,000 characters.'
const entriesError = 'Send either add or remove, and version, and nothing else.'
export const EntriesBody = z
  .strictObject(
    {
      add: z
        .string({ error: addError })
        .trim()
        .min(1, addError)
        .max(2_000, addError)
        .refine((given) => given.isWellFormed() && !/\p{Cc}/u.test(given), addError)
        .optional(),
      remove: z.string({ error: 'remove must be the id of an address of the notice.' }).max(100).optional(),
      version,
    },
    { error: entriesError },
  )
  .refine(({ add, remove }) => (add === undefined) !== (remove === undefined), { error: entriesError, path: ['add'] })

const ofError = 'of must be the reference of another notice.'
export const DuplicateBody = strictBody({
  of: z.string({ error: ofError }).refine((typed) => readReference(typed) !== undefined, ofError),
  version,
})

const reasons = {
  ground: z.enum(grounds, { error: 'ground must be illegal or terms.' }),
  legalGround: text('legalGround', 'The law that is broken, or the passage of the terms.', 500),
  facts: text('facts', 'The facts that the decision relies on.'),
  explanation: text('explanation', 'Why they lead to this decision.'),
}

const decisionFields = {
  outcome: z.enum(outcomes, { error: `outcome must be one of ${outcomes.join(', ')}.` }),
  ...reasons,
}

export const DecisionBody = strictBody({ ...decisionFields, version }).meta({ id: 'DecisionBody' })

export const AppealBody = strictBody({
  outcome: z
    .enum(['uphold', 'overturn'], { error: 'outcome must be uphold or overturn.' })
    .meta({ description: 'uphold: the decision stays. overturn: another one takes its place.' }),
  ...reasons,
  version,
})

export const RefuseBody = strictBody({
  reasons: text('reasons', 'Why it is refused; whoever sent it reads this.'),
  version,
})

export const ActionBody = strictBody({
  note: text('note', 'The source of the news of the court action.', 2_000),
  version,
})

const noticesError = `notices must be a list of 1 to ${maxDecidedAtOnce} notices, each once, with reference and version.`
export const DecisionsBody = strictBody({
  notices: z
    .array(
      z.strictObject(
        {
          reference: z.string({ error: noticesError }).transform((typed, context) => {
            const reference = readReference(typed)
            if (reference !== undefined) return reference
            context.addIssue({ code: 'custom', message: noticesError })
            return z.NEVER
          }),
          version,
        },
        { error: noticesError },
      ),
      { error: noticesError },
    )
    .min(1, noticesError)
    .max(maxDecidedAtOnce, noticesError)
    .refine((all) => new Set(all.map(({ reference }) => reference)).size === all.length, noticesError),
  ...decisionFields,
})
