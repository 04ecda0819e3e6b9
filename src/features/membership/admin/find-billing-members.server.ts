import { foldEmail } from '../../accounts/user/email.ts'
import { matchesMember } from '../../accounts/user/member-search.server.ts'
import type { MembershipApp } from '../app.ts'
import { dayInWords } from '../plans/format-day.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { sentenceOf } from '../access/access-status.ts'
import type { BillingMemberForAdmin } from './billing-schema.ts'

const max = 20

/**
 * Members by words of their name or address, as all searches for members; with nothing to look for, those of Stripe's customers
 * whose state changed last. At most 20.
 */
export async function findBillingMembers(
  app: Pick<MembershipApp, 'db' | 'clock' | 'config'>,
  { search }: { search: string },
): Promise<BillingMemberForAdmin[]> {
  const wanted = search.trim()
  const found = wanted === '' ? await lastChanged(app) : await named(app, wanted)
  return Promise.all(
    found.map(async ({ id, name, email, vip_disabled }) => {
      const accessStatus = await readAccessStatus(app, { userId: id, isDisabled: vip_disabled })
      const sentence = sentenceOf(accessStatus, (instant) => dayInWords(instant, app.config.timeZone))
      return { id, name, email, isVip: accessStatus.isVip, sentence, planType: accessStatus.planType }
    }),
  )
}

type Found = Promise<{ id: string; name: string; email: string; vip_disabled: boolean }[]>

function lastChanged({ db }: Pick<MembershipApp, 'db'>): Found {
  return db
    .selectFrom('billing_customers as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('billing_changes as b')
          .select('b.changed_at')
          .whereRef('b.user_id', '=', 'c.user_id')
          .orderBy('b.changed_at', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['u.id', 'u.name', 'u.email', 'u.vip_disabled'])
    .where('c.stripe_customer_id', 'is not', null)
    .orderBy('last.changed_at', (by) => by.desc().nullsLast())
    .orderBy('u.id', 'desc')
    .limit(max)
    .execute()
}

/** The member with exactly this address comes first. */
function named({ db }: Pick<MembershipApp, 'db'>, wanted: string): Found {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'vip_disabled'])
    .where(matchesMember(wanted))
    .orderBy((by) => by('email_folded', '=', foldEmail(wanted)), 'desc')
    .orderBy('name_folded')
    .orderBy('id')
    .limit(max)
    .execute()
}
