-- A small site as the first edition left it, after migration 0004: a catalogue in all its states, accounts, and money.
-- Statements are separated by empty lines. An item is known by the last digits of its id.

insert into users (id, email, email_folded, name, password_hash, password_changed_at, is_admin, vip_disabled, created_at) values
  ('0190a000-0000-7000-8000-000000000001', 'Ada@library.example', 'ada@library.example', 'Ada', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', '2025-01-02 03:04:05+00', true, false, '2025-01-02 03:04:05+00'),
  ('0190a000-0000-7000-8000-000000000002', 'bo@example.org', 'bo@example.org', 'Bo', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaB', '2025-02-01 00:00:00+00', false, false, '2025-02-01 00:00:00+00'),
  ('0190a000-0000-7000-8000-000000000003', 'çi@example.org', 'çi@example.org', '慈', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaC', '2025-03-01 00:00:00+00', false, true, '2025-03-01 00:00:00+00')

insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at) values
  ('0190b000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000001', decode(repeat('a1', 32), 'hex'), true, 'Firefox', '2025-04-01 08:00:00+00', '2025-04-02 08:00:00+00', '2099-04-01 08:00:00+00'),
  ('0190b000-0000-7000-8000-000000000002', '0190a000-0000-7000-8000-000000000002', decode(repeat('b2', 32), 'hex'), false, '', '2025-04-01 09:00:00+00', '2025-04-01 09:00:00+00', '2099-04-01 09:00:00+00')

insert into password_resets (user_id, token_hash, expires_at) values
  ('0190a000-0000-7000-8000-000000000003', decode(repeat('c3', 32), 'hex'), '2099-01-01 00:00:00+00')

insert into categories (name, name_folded) values ('Žižka', 'zizka')

insert into items (id, external_id, name, name_folded, name_grams, slug, category_id, content_type, region, post_date, post_month,
                   created_at, updated_at, version, rating, link, link2, people, rights_basis, rights_holder, rights_evidence,
                   permits_download, permits_paid_access, rights_valid_until, rights_attested_by, rights_attested_at)
select ('0190c000-0000-7000-8000-0000000000' || v.no)::uuid, v.external_id, v.name, lower(v.name), array[17, 4711, 90210], v.slug, c.id,
       v.content_type, v.region, v.post_date::timestamptz, extract(month from v.post_date::timestamptz at time zone 'UTC'),
       '2025-05-01 00:00:00+00', '2025-05-02 00:00:00+00', v.version, v.rating, v.link, v.link2, v.people, v.basis, v.holder, v.evidence,
       v.basis is not null, v.content_type like 'vip%', v.valid_until::timestamptz, 'Ada', '2025-05-01 00:00:00+00'
  from (values
    ('01', 'x-1', 'The Tower', 'the-tower', 'Literature', 'western', 'western', '2025-05-03 10:00:00+00', 3, 'general', 'https://mega.nz/tower', 'https://example.org/tower', 'none', 'public_domain', null, 'Died 1926.', null),
    ('02', null, '江雪', 'jiang-xue', 'Film', 'asian', 'asian', '2025-05-03 11:00:00+00', 1, 'mature', 'https://mega.nz/snow', null, 'not_identifiable', 'license', 'House of Ink', 'Contract 7.', '2099-01-01 00:00:00+00'),
    ('03', null, 'Misfit', 'misfit', 'Film', 'banned', 'western', '2025-04-30 23:59:59+00', 2, 'general', 'https://mega.nz/misfit', null, 'none', 'own_work', null, 'Made by Ada.', null),
    ('04', null, 'Forbidden Book', 'forbidden-book', 'Banned', 'banned', 'western', '1999-12-31 00:00:00+00', 1, 'general', 'https://mega.nz/book', null, 'none', 'own_work', null, 'Made by Ada.', null),
    ('05', null, 'Lounge', 'lounge', 'VIP Content', 'vip-western', 'western', '2025-05-04 00:00:00+00', 1, 'general', 'https://mega.nz/lounge', null, 'none', 'own_work', null, 'Made by Ada.', null),
    ('06', null, 'Half a Poem', 'half-a-poem', 'Žižka', 'western', 'western', '2025-05-05 00:00:00+00', 1, 'general', null, null, null, null, null, null, null),
    ('07', null, 'Portrait', 'portrait', 'Art', 'asian', 'western', '2025-05-06 00:00:00+00', 1, 'general', 'https://mega.nz/portrait', null, 'identifiable', 'own_work', null, 'Made by Ada.', null),
    ('08', null, 'Noticed', 'noticed', 'Music', 'western', 'western', '2025-05-07 00:00:00+00', 1, 'general', 'https://mega.nz/noticed', null, 'none', 'own_work', null, 'Made by Ada.', null),
    ('09', null, 'Taken Down', 'taken-down', 'Music', 'western', 'western', '2025-05-08 00:00:00+00', 1, 'general', 'https://mega.nz/down', null, 'none', 'own_work', null, 'Made by Ada.', null),
    ('10', null, 'Deleted', 'deleted', 'Music', 'western', 'western', '2025-05-09 00:00:00+00', 1, 'general', 'https://mega.nz/deleted', null, 'none', 'own_work', null, 'Made by Ada.', null)
  ) as v (no, external_id, name, slug, category, content_type, region, post_date, version, rating, link, link2, people, basis, holder, evidence, valid_until)
  join categories c on c.name = v.category
 order by v.no

insert into consent_records (id, item_id, pseudonym, permits_publication, permits_download, evidence, verified_adult, valid_until, recorded_by, recorded_at) values
  ('0190d000-0000-7000-8000-000000000001', '0190c000-0000-7000-8000-000000000007', 'model one', true, true, 'Signed form.', 'yes', '2098-01-01 00:00:00+00', 'Ada', '2025-05-06 00:00:00+00')

insert into evidence_files (id, item_id, consent_id, file_name, media_type, byte_size, sha256, stored_by, stored_at) values
  ('0190e000-0000-7000-8000-000000000001', '0190c000-0000-7000-8000-000000000007', '0190d000-0000-7000-8000-000000000001', 'form.pdf', 'application/pdf', 1234, repeat('0f', 32), 'Ada', '2025-05-06 00:00:00+00')

insert into clearances (item_id, version, fingerprint, checks, cleared_by, cleared_at)
select id, version, fingerprint, '["rights", "people"]', 'Ada', '2025-05-10 00:00:00+00' from items where slug <> 'half-a-poem'

update items set status = 'published', cleared_version = version where slug <> 'half-a-poem'

update items set status = 'restricted', restriction = 'notice' where slug = 'noticed'

update items set status = 'removed' where slug = 'taken-down'

delete from items where slug = 'deleted'

insert into billing_customers (user_id, stripe_customer_id, customers_made, checkouts_made, checkout_started_at, synced_at) values
  ('0190a000-0000-7000-8000-000000000002', 'cus_bo', 1, 2, '2025-06-01 00:00:00+00', '2025-06-02 00:00:00+00'),
  ('0190a000-0000-7000-8000-000000000003', null, 1, 1, null, null)

insert into subscriptions (stripe_id, user_id, plan_type, status, period_starts_at, period_ends_at, cancels_at, ended_at, past_due_since, started_at) values
  ('sub_bo', '0190a000-0000-7000-8000-000000000002', 'annual', 'active', '2025-06-01 00:00:00+00', '2026-06-01 00:00:00+00', null, null, null, '2025-06-01 00:00:00+00'),
  ('sub_ci', '0190a000-0000-7000-8000-000000000003', 'monthly', 'canceled', '2025-03-01 00:00:00+00', '2025-04-01 00:00:00+00', null, '2025-04-01 00:00:00+00', null, '2025-03-01 00:00:00+00'),
  ('sub_gone', null, 'monthly', 'canceled', '2025-01-01 00:00:00+00', '2025-02-01 00:00:00+00', null, '2025-02-01 00:00:00+00', null, '2025-01-01 00:00:00+00')

insert into payments (id, invoice_id, user_id, subscription_id, plan_type, number, status, amount_cents, refunded_cents, currency, period_starts_at, period_ends_at, invoiced_at, paid_at, dispute) values
  ('0190f000-0000-7000-8000-000000000001', 'in_bo', '0190a000-0000-7000-8000-000000000002', 'sub_bo', 'annual', 'A-0001', 'paid', 9999, 0, 'usd', '2025-06-01 00:00:00+00', '2026-06-01 00:00:00+00', '2025-06-01 00:00:00+00', '2025-06-01 00:01:00+00', null),
  ('0190f000-0000-7000-8000-000000000002', 'in_ci', '0190a000-0000-7000-8000-000000000003', 'sub_ci', 'monthly', null, 'paid', 999, 500, 'usd', '2025-03-01 00:00:00+00', '2025-04-01 00:00:00+00', '2025-03-01 00:00:00+00', '2025-03-01 00:01:00+00', 'open'),
  ('0190f000-0000-7000-8000-000000000003', 'in_gone', null, 'sub_gone', 'monthly', null, 'void', 999, 0, 'usd', '2025-01-01 00:00:00+00', '2025-02-01 00:00:00+00', '2025-01-01 00:00:00+00', null, null)

insert into access_grants (id, user_id, source, subscription_id, plan_type, basis, renews, starts_at, ends_at, held_until, revoked_at, revoked_reason, granted_by, created_at) values
  ('0190f100-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002', 'stripe', 'sub_bo', 'annual', 'plan', true, '2025-06-01 00:00:00+00', '2026-06-01 00:00:00+00', '2026-06-01 06:00:00+00', null, null, null, '2025-06-01 00:00:00+00'),
  ('0190f100-0000-7000-8000-000000000002', '0190a000-0000-7000-8000-000000000003', 'stripe', 'sub_ci', 'monthly', 'plan', false, '2025-03-01 00:00:00+00', '2025-04-01 00:00:00+00', '2025-04-01 00:00:00+00', '2025-03-20 00:00:00+00', 'dispute', null, '2025-03-01 00:00:00+00'),
  ('0190f100-0000-7000-8000-000000000003', '0190a000-0000-7000-8000-000000000001', 'manual', null, null, 'manual', false, '2025-01-02 03:04:05+00', '2099-01-01 00:00:00+00', '2099-01-01 00:00:00+00', null, null, 'Ada', '2025-01-02 03:04:05+00')

insert into stripe_events (id, type, is_live, stripe_customer_id, price_ids, created_at, received_at, handled_at, outcome) values
  ('evt_done', 'invoice.paid', true, 'cus_bo', '{price_annual}', '2025-06-01 00:00:00+00', '2025-06-01 00:00:01+00', '2025-06-01 00:00:02+00', 'synced'),
  ('evt_open', 'customer.subscription.updated', true, 'cus_bo', '{}', '2025-06-02 00:00:00+00', '2025-06-02 00:00:01+00', null, null)

insert into billing_changes (id, user_id, subscription_id, cause, is_drift, what, ours, stripes, changed_at) values
  ('0190f200-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002', 'sub_bo', 'event', false, 'status', null, 'active', '2025-06-01 00:00:02+00'),
  ('0190f200-0000-7000-8000-000000000002', null, 'sub_gone', 'reconciliation', true, 'status', 'active', 'canceled', '2025-02-02 00:00:00+00')

insert into billing_runs (id, scope, started_at, finished_at, checked_count, drift_count) values
  ('0190f300-0000-7000-8000-000000000001', 'all', '2025-06-03 03:37:00+00', '2025-06-03 03:38:00+00', 2, 1)

update catalogue_state set time_zone = 'Europe/Berlin'
