import { type Kysely, sql } from 'kysely'

/** A vote counts once its voter has confirmed their address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table request_votes add column counts boolean not null default false`.execute(db)
  await sql`
    update request_votes v set counts = true
      from users u where u.id = v.user_id and u.email_confirmed_at is not null`.execute(db)
  await sql`
    update content_requests r set votes = given.count
      from (select request.id, count(v.user_id) filter (where v.counts) as count
              from content_requests request left join request_votes v on v.request_id = request.id
             group by request.id) given
     where given.id = r.id and r.votes <> given.count`.execute(db)

  // The voter's account is locked before: no confirmation comes between.
  await sql`
    create function decide_vote_counts() returns trigger language plpgsql as $$
    begin
      new.counts := exists (select from users where id = new.user_id and email_confirmed_at is not null);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger decide_vote_counts before insert on request_votes
      for each row execute function decide_vote_counts()`.execute(db)
  await sql`
    create function count_votes_of_user() returns trigger language plpgsql as $$
    begin
      -- In one order: two who confirm at once have voted for the same requests.
      perform from content_requests where id in (select request_id from request_votes where user_id = new.id)
        order by id for no key update;
      update request_votes set counts = new.email_confirmed_at is not null where user_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger count_votes_of_user after update of email_confirmed_at on users
      for each row when ((old.email_confirmed_at is null) <> (new.email_confirmed_at is null))
      execute function count_votes_of_user()`.execute(db)

  await sql`
    create or replace function count_request_votes() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.counts then
        update content_requests set votes = votes - 1 where id = old.request_id;
      end if;
      if tg_op <> 'DELETE' and new.counts then
        update content_requests set votes = votes + 1 where id = new.request_id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`drop trigger count_request_votes on request_votes`.execute(db)
  await sql`
    create trigger count_request_votes after insert or delete or update of counts on request_votes
      for each row execute function count_request_votes()`.execute(db)
}
