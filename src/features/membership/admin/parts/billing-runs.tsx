import { useEffect, useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { type ApiQuery, useApiMutation } from '../../../../browser/queries.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { counted } from '../../../../platform/counted.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import type { BillingRunForAdmin, DriftReport } from '../billing-schema.ts'
import { isWhole, runInWords } from './billing-words.ts'

const lookEveryMs = 2_000
const lateMs = 60_000

const inLine = 'The reconciliation is queued.'
const stillInLine = 'The reconciliation is still queued: other jobs run first. You can leave this page.'
const comparing = 'Every subscription is being compared with Stripe. You can leave this page.'
const unseen = 'The progress is not available at the moment.'

/** 'Reconcile now', with its progress and result. */
export function Reconcile({
  runs,
  query: { isFetching, refetch, error: reportError },
}: {
  runs: BillingRunForAdmin[]
  query: Pick<ApiQuery<DriftReport>, 'isFetching' | 'refetch' | 'error'>
}) {
  /** The runs before it. */
  const [order, setOrder] = useState<{ before: ReadonlySet<string> }>()
  const [isLate, setIsLate] = useState(false)
  const run =
    order === undefined ? undefined : runs.findLast(({ id, scope }) => scope === 'all' && !order.before.has(id))
  const isInLine = order !== undefined && run === undefined
  const isUnderWay = isInLine || run?.state === 'under_way'

  useEffect(() => {
    if (!isInLine) return
    const timer = setTimeout(() => setIsLate(true), lateMs)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isInLine])

  useEffect(() => {
    if (!isUnderWay || isFetching) return
    const timer = setTimeout(refetch, lookEveryMs)
    return () => clearTimeout(timer)
  }, [isUnderWay, isFetching, refetch])

  const start = useApiMutation({
    mutationFn: (_before: ReadonlySet<string>) => request('/api/billing/reconcile', MessageAnswer, { method: 'POST' }),
    onSuccess: (_answer, before) => {
      setOrder({ before })
      refetch()
    },
    onError: recheckAccess,
  })

  const isBusy = start.isPending || isUnderWay
  const progress = isInLine ? (isLate ? stillInLine : inLine) : comparing
  return (
    <div className="billing-reconcile">
      <div className="button-row billing-steps">
        <button
          type="button"
          className="button button-solid"
          aria-disabled={isBusy}
          onClick={() => {
            if (isBusy) return
            setOrder(undefined)
            start.mutate(new Set(runs.map(({ id }) => id)))
          }}
        >
          {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
          {isBusy ? 'Reconciling...' : 'Reconcile now'}
        </button>
      </div>
      <Announced>
        {start.error === null ? null : <Notice tone="failed">{start.error.message}</Notice>}
        {isUnderWay ? (
          <Notice tone="calm">{reportError === undefined ? progress : `${unseen} ${reportError.message}`}</Notice>
        ) : run === undefined ? null : (
          <RunResult run={run} />
        )}
      </Announced>
    </div>
  )
}

function RunResult({ run }: { run: BillingRunForAdmin }) {
  const { checked, drifts } = run
  const seen = `${counted(checked, 'member')} compared, ${counted(drifts, 'difference')} found.`
  if (isWhole(run)) return <Notice tone="done">{seen}</Notice>
  return (
    <Notice tone="failed">
      <p>
        {run.state === 'broken_off' ? 'The reconciliation was interrupted; the next one continues.' : runInWords(run)}
      </p>
      <p>{seen}</p>
    </Notice>
  )
}

const runHeads = ['Began', 'What', 'Compared', 'Differences', 'Outcome'] as const

export function Runs({ runs, now }: { runs: BillingRunForAdmin[]; now: number }) {
  return (
    <DataTable label="Comparisons" heads={runHeads} figures={['Compared', 'Differences']}>
      {runs.map((run) => (
        <tr key={run.id} className={isWhole(run) || run.state === 'under_way' ? undefined : 'is-danger'}>
          <td>
            <Moment at={run.startedAt} now={now} />
          </td>
          <td>{run.scope === 'all' ? 'everything' : 'due members'}</td>
          <td className="data-figure">{run.checked.toLocaleString('en-US')}</td>
          <td className="data-figure">{run.drifts.toLocaleString('en-US')}</td>
          <td>{runInWords(run)}</td>
        </tr>
      ))}
    </DataTable>
  )
}
