import { type Kysely, sql } from 'kysely'

/** The safety officer (docs/spec/accounts.md#safety-officer): while there is an administrator, at least one has the mark. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column is_safety_officer boolean not null default false`.execute(db)
  await sql`
    update users set is_safety_officer = true
     where id = (select id from users where is_admin order by created_at, id limit 1)`.execute(db)
  await sql`
    alter table users
      add constraint a_safety_officer_is_an_administrator check (not is_safety_officer or is_admin)`.execute(db)
  await sql`create index users_safety_officers on users (id) where is_safety_officer`.execute(db)

  // For any writer, and any number of concurrent ones.
  await sql`
    create function keep_a_safety_officer() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.is_admin and not new.is_admin then
        new.is_safety_officer := false;
      end if;
      if not old.is_safety_officer or (tg_op = 'UPDATE' and new.is_safety_officer) then
        return case when tg_op = 'DELETE' then old else new end;
      end if;
      perform 1 from users where is_admin order by id for update;
      if exists (select from users where is_safety_officer and id <> old.id) then
        return case when tg_op = 'DELETE' then old else new end;
      end if;
      -- That the last administrator of all goes is refused by keep_an_administrator.
      if (tg_op = 'UPDATE' and new.is_admin) or exists (select from users where is_admin and id <> old.id) then
        raise exception 'While there are administrators, one of them is the safety officer. Name another one first.'
          using errcode = 'DB016';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$`.execute(db)
  await sql`
    create trigger keep_a_safety_officer_on_delete before delete on users
      for each row when (old.is_safety_officer) execute function keep_a_safety_officer()`.execute(db)
  await sql`
    create trigger keep_a_safety_officer_on_update before update of is_admin, is_safety_officer on users
      for each row when (old.is_safety_officer) execute function keep_a_safety_officer()`.execute(db)

  await sql`
    create function name_first_safety_officer() returns trigger language plpgsql as $$
    begin
      if not exists (select from users where is_safety_officer) then
        new.is_safety_officer := true;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger name_first_safety_officer before insert or update of is_admin on users
      for each row when (new.is_admin) execute function name_first_safety_officer()`.execute(db)
}
