import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { actionsOfVip, VipTable } from './vip-table.tsx'

const now = Date.parse('2024-03-15T12:00:00Z')
const user = { name: 'Jane', email: 'jane@readers.example', vipDisabled: false }
const rowOf = (id: string, vipExpirationDate: string) =>
  rendered(
    <VipTable
      label="VIP users"
      users={[{ ...user, id, vipExpirationDate }]}
      dateHead="Expiration"
      actionsOf={(one) => actionsOfVip(one, now)}
      now={now}
      isBusy={false}
      onAsk={() => undefined}
    />,
  )

test('A row of an active VIP leads to their billing, one of an expired VIP begins with the renewal', () => {
  const active = rowOf('one', '2025-03-15T12:00:00.000Z')
  expect(active.hrefs).toEqual(['/admin/people/one', '/admin/billing/one'])
  expect(active.text).toContain('Active March 15, 2025 Billing : Jane')
  expect(active.text).not.toContain('Give')
  expect(rowOf('two', '2024-03-15T12:00:00.000Z').text).toContain('Expired March 15, 2024 Give 30 days : Jane More')
})
