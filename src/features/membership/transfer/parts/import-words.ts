import { counted } from '../../../../platform/counted.ts'
import type { MemberImport, RowOutcome } from '../import-schema.ts'

export const importsPath = '/api/member-imports'

export const stateNames = {
  reading: 'Not read completely',
  ready: 'Checked, not imported',
  running: 'Being imported',
  stopped: 'Stopped partway',
  failed: 'Failed partway',
  done: 'Imported',
} satisfies Record<MemberImport['state'], string>

export function isUnderWay({ state }: Pick<MemberImport, 'state'>): boolean {
  return state === 'running'
}

export const outcomeNames = {
  new: 'New',
  existing: 'Has an account',
  rejected: 'Rejected',
  made: 'Imported',
} satisfies Record<RowOutcome, string>

/** '1 invitation waits. 60 are sent each minute.' */
export function invitationsInWords(waiting: number): string {
  return `${counted(waiting, 'invitation')} ${waiting === 1 ? 'waits' : 'wait'}. 60 are sent each minute.`
}

/** '1,200 new, 3 have an account, 2 rejected' */
export function countsInWords({ new: waiting, made, existing, rejected }: MemberImport['counts']): string {
  const parts = [
    [made, 'imported'],
    [waiting, 'new'],
    [existing, existing === 1 ? 'has an account' : 'have an account'],
    [rejected, 'rejected'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString('en-US')} ${words}`)
  return said.length === 0 ? 'no rows' : said.join(', ')
}
