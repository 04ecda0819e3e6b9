import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { digestOf } from '../src/features/accounts/sessions/tokens.server.ts'

/** Runs one statement. */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

const names = `(array['Clara', 'Ida', 'Lewis', 'Jacob', 'Søren'])[1 + n % 5] || ' ' ||
               (array['Barton', 'Wells', 'Hine', 'Riis', 'Aabye', 'Dupin', 'Sá'])[1 + n % 7] || ' ' || n`

/**
 * A site of several years, written as its triggers would have left it: these go row by row, or compute a chain of hashes
 * over all events, and nothing that is measured needs them to.
 */
const statements = (members: number): string[] => [
  'alter table users disable trigger keep_member_disabled_of_new',
  `insert into users (id, name, email, email_folded, password_hash, password_changed_at, created_at, last_seen_at, vip_disabled)
   select (lpad(to_hex(${members} - n), 8, '0') || substr(gen_random_uuid()::text, 9))::uuid, ${names}, 'reader' || n || '@readers.example', 'reader' || n || '@readers.example', '$argon2id$none',
          now(), now() - n * interval '${(3 * 365 * 1_440) / members} minutes',
          case when n % 3 > 0 then now() - n * interval '30 seconds' end, n % 20 = 0
     from generate_series(${members}, 1, -1) n`,
  'alter table users enable trigger keep_member_disabled_of_new',

  // Four of five are or were VIPs.
  'alter table access_grants disable trigger keep_member_access',
  `insert into access_grants (id, user_id, source, basis, renews, starts_at, ends_at, effective_until, granted_by, created_at)
   select gen_random_uuid(), id, 'manual', 'manual', false, now() - interval '3 years', ends, ends, 'the bench', now()
     from (select id, now() + (row_number() over (order by created_at)::int % 1000 - 700) * interval '1 day' as ends from users
            order by created_at limit ${members * 0.8}) given`,
  'alter table access_grants enable trigger keep_member_access',
  `insert into member_access (user_id, starts_at, next_starts_at, ends_at, effective_until, is_disabled)
   select users.id, '-infinity', coalesce(starts_at, 'infinity'), null::timestamptz, null::timestamptz, true
     from users left join access_grants on user_id = users.id where vip_disabled
   union all
   select user_id, starts_at, 'infinity', ends_at, effective_until, vip_disabled from access_grants join users on users.id = user_id`,

  `insert into payments (id, invoice_id, subscription_id, plan_type, status, amount_cents, currency, period_starts_at,
                         period_ends_at, invoiced_at, paid_at)
   select gen_random_uuid(), n::text, 'sub', 'monthly', 'paid', 1200, 'usd', at, at, at, at
     from (select n, now() - random() * interval '2 years' as at from generate_series(1, ${members * 2}) n) p`,
  `insert into download_events (id, item_id, slot, host, tier, day)
   select gen_random_uuid(), items.id, 'link', (array['Mega', 'Gofile', 'Pixeldrain'])[1 + n % 3],
          (array['free', 'vip'])[1 + n % 2], current_date - (random() * 399)::int
     from (select n, 1 + (20000 * random() * random())::int as place from generate_series(1, ${members * 10}) n) d
     join (select id, row_number() over (order by no) as place from items order by no limit 20001) items using (place)`,
  `insert into search_misses (day, tier, text, searches)
   select current_date - n / 2000, 'free', 'a text ' || n, 1 + n % 9 from generate_series(0, ${members * 2 - 1}) n`,

  'alter table audit_events disable trigger user',
  `insert into audit_events (id, recorded_at, action, actor, actor_id)
   select gen_random_uuid(), now() - random() * interval '300 days',
          case when n % 1000 = 0 then 'role.granted' else 'session.opened' end, 'member', id
     from (select row_number() over () as n, id from users, generate_series(1, 3)) e`,
  'alter table audit_events enable trigger user',
  `insert into audit_chain (position, event_id, hash)
   select row_number() over (order by recorded_at) + 1000, id, sha256('') from audit_events
    where not exists (select from audit_chain where event_id = audit_events.id)`,
  // Links that the job has gathered, also those of a catalogue that a site has gathered before, and mostly found to work.
  `insert into link_checks (address, host, state, failures, reason, checked_at, next_check_at)
   select address, split_part(address, '/', 3), case when n % 100 = 0 then 'dead' else 'ok' end,
          case when n % 100 = 0 then 2 else 0 end, case when n % 100 = 0 then 'http' end,
          now() - random() * interval '7 days', now() + random() * interval '7 days'
     from (select address, row_number() over () as n
             from (select link as address from items union select link_g from items) either where address is not null) addresses
   on conflict (digest) do update
      set state = excluded.state, failures = excluded.failures, reason = excluded.reason, checked_at = excluded.checked_at,
          next_check_at = excluded.next_check_at`,
  `insert into item_links (item_no, slot, link_id)
   select i.no, slots.slot, c.id
     from items i cross join lateral (values ('link', i.link), ('linkG', i.link_g)) as slots (slot, address)
     join link_checks c on c.digest = md5(slots.address) and c.address = slots.address
   on conflict do nothing`,
  'update link_work set sweep_no = null, gathered_version = (select version from catalogue_state)',
  'vacuum analyze',
]

/** Members, what they bought and did, and an administrator who has signed in. @returns the administrator's token */
export async function fillAdministration(run: RunSql, members: number): Promise<string> {
  for (const statement of statements(members)) await run(statement)
  return signInKeeper(run)
}

/** Makes an administrator who has signed in. @returns their token */
export async function signInKeeper(run: RunSql): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const adminId = uuidv7()
  await run(
    `insert into users (id, name, email, email_folded, password_hash, password_changed_at, created_at, is_admin)
     values ($1, 'Ada Keeper', 'keeper@bench.example', 'keeper@bench.example', '$argon2id$none', now(), now(), true)`,
    [adminId],
  )
  await run(
    `insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at, proved_at)
     values ($1, $2, $3, true, 'bench', now(), now(), now() + interval '30 days', now())`,
    [uuidv7(), adminId, digestOf(token)],
  )
  return token
}
