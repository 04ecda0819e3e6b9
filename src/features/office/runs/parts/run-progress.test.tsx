import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { ApiError, NetworkError } from '../../../../browser/api-client.ts'
import { RunProgress } from './run-progress.tsx'

const progress = { label: 'Being imported', share: 0.34, progress: '1,200 rows, 34 %' }

test('How far a run is stays when the connection is lost, and it says that the work goes on', () => {
  const { text } = rendered(<RunProgress {...progress} error={new NetworkError('network')} />)
  expect(text).toBe(
    '1,200 rows, 34 % The connection is lost. The work continues on the server; progress shows here again once you are back online.',
  )
})

test('A refusal is told as it is', () => {
  const refusal = new ApiError('refused', { reply: { ok: false, status: 500, data: { message: 'Out of order.' } } })
  expect(rendered(<RunProgress {...progress} error={refusal} />).text).toContain('34 % Out of order.')
  expect(rendered(<RunProgress {...progress} error={undefined} />).text).toBe('1,200 rows, 34 %')
})
