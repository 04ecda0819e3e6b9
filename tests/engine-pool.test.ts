import { expect, inject, test } from 'vitest'
import { openPooledEngine } from './harness/engine-pool.ts'

const prepared = inject('preparedDatabase')

/** The categories that a migration fills in, the next id of them, and the events of the audit log. */
const state = `
  select (select jsonb_agg(c order by id) from categories c) as categories,
    nextval('categories_id_seq')::int as next, (select count(*)::int from audit_events) as events`

test.runIf(prepared.engine === 'embedded')(
  'an embedded engine that was closed has the prepared database again, whatever a test did there',
  async () => {
    if (prepared.engine !== 'embedded') return
    const open = () => openPooledEngine(prepared.dumpFile)
    const first = await open()
    const { rows: before } = await first.query(state)
    await first.exec(`
      insert into audit_events (id, action, actor) values (gen_random_uuid(), 'role.granted', 'operator');
      delete from categories where id = 1;
      update categories set name = 'Comics' where id = 2;
      insert into categories (name, name_folded) values ('Atlases', 'atlases');
      set statement_timeout = 1;
      begin`)
    await first.close()
    await expect(first.query('select 1')).rejects.toThrow('closed')

    const second = await open()
    expect((await second.query(state)).rows).toEqual(before)
    await second.exec('alter table categories add column shelf text; create role reader')
    await second.close()

    const third = await open()
    expect((await third.query(state)).rows).toEqual(before)
    expect((await third.query(`select rolname from pg_roles where rolname = 'reader'`)).rows).toEqual([])
    await third.close()
  },
)
