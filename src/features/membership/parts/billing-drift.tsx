import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import type { BillingRunForAdmin, DriftForAdmin, DriftReport } from '../read-drift-report.server.ts'
import { askBilling, type BillingQuestion } from './billing-question.ts'
import { BillingSection } from './billing-section.tsx'
import { BillingTable } from './billing-table.tsx'
import { BillingMoment, BillingValue } from './billing-value.tsx'
import { counted, driftSentence, isWhole, outcomes, runInWords, whatInWords } from './billing-words.ts'

/** How equal we are to Stripe: the state in one sentence, the way to compare now, and what was found. */
export function BillingDrift({
  report,
  question,
}: {
  report: DriftReport
  question: Pick<BillingQuestion<DriftReport>, 'isAsking' | 'askAgain' | 'refusal'>
}) {
  const { runs, drifts, counts, waitingEvents, ignored, threshold, isAboveThreshold } = report
  const now = useNow(report)
  const lastRun = runs.find(({ state }) => state === 'finished')
  return (
    <BillingSection title="Staying equal">
      <p className="billing-state">{driftSentence(report)}</p>
      <p className="billing-aside">
        {lastRun === undefined ? null : (
          <>
            Last compared <BillingMoment at={lastRun.finishedAt ?? lastRun.startedAt} now={now} />.{' '}
          </>
        )}
        {`${counted(counts.last30d, 'difference')} in 30 days; up to ${threshold.toLocaleString('en-US')} in 24 hours are usual.`}
      </p>
      {isAboveThreshold ? (
        <Notice tone="failed">
          <p>More differences than usual were found in the last 24 hours.</p>
          <p>Do events arrive? See the webhook's deliveries at Stripe, and the log.</p>
        </Notice>
      ) : null}
      {counts.unhealed > 0 ? (
        <Notice tone="failed">
          <p>
            {counts.unhealed === 1
              ? 'One difference of this week could not be healed from here: it is marked below.'
              : `${counted(counts.unhealed, 'difference')} of this week could not be healed from here: they are marked below.`}
          </p>
        </Notice>
      ) : null}
      <WaitingEvents waiting={waitingEvents} now={now} />
      <Reconcile runs={runs} question={question} />

      <h3>Comparisons</h3>
      {runs.length === 0 ? <p className="billing-empty">None yet.</p> : <Runs runs={runs} now={now} />}
      <h3>Differences found</h3>
      {drifts.length === 0 ? (
        <p className="billing-empty">None: every change was told to us by an event.</p>
      ) : (
        <Drifts drifts={drifts} now={now} />
      )}
      <h3>Events left alone in 30 days</h3>
      {ignored.length === 0 ? (
        <p className="billing-empty">None.</p>
      ) : (
        <dl className="billing-counts">
          {ignored.map(({ outcome, count }) => (
            <div key={outcome}>
              <dt>{outcomes[outcome] ?? outcome.replaceAll('_', ' ')}</dt>
              <dd>{count.toLocaleString('en-US')}</dd>
            </div>
          ))}
        </dl>
      )}
    </BillingSection>
  )
}

/** The moment at which something was told: what is 'just now' in it stays so until it is told anew. */
function useNow(told: object): number {
  const [moment, setMoment] = useState(() => ({ told, now: Date.now() }))
  useEffect(() => {
    setMoment((before) => (before.told === told ? before : { told, now: Date.now() }))
  }, [told])
  return moment.now
}

/** An event that waits for longer than this waits for something. */
const waitsLongMs = 10 * 60_000

function WaitingEvents({ waiting, now }: { waiting: DriftReport['waitingEvents']; now: number }) {
  const { count, oldestReceivedAt } = waiting
  if (oldestReceivedAt === null) return null
  const words = (
    <p>
      {`${counted(count, 'event')} from Stripe ${count === 1 ? 'waits' : 'wait'} to be worked off, the oldest since `}
      <BillingMoment at={oldestReceivedAt} now={now} />.
    </p>
  )
  const isLong = now - Date.parse(oldestReceivedAt) > waitsLongMs
  return isLong ? <Notice tone="failed">{words}</Notice> : <div className="billing-aside">{words}</div>
}

const lookEveryMs = 2_000
const lateMs = 60_000

const inLine = 'The reconciliation is in line.'
const stillInLine = 'The reconciliation is still in line: other work comes first. You can leave this page.'
const comparing = 'Every subscription is being compared with Stripe. You can leave this page.'
const unseen = 'How far it is cannot be seen at the moment.'

/** 'Reconcile now', with what becomes of it. */
function Reconcile({
  runs,
  question: { isAsking, askAgain, refusal: reportRefusal },
}: {
  runs: BillingRunForAdmin[]
  question: Pick<BillingQuestion<DriftReport>, 'isAsking' | 'askAgain' | 'refusal'>
}) {
  const [isOrdering, setIsOrdering] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  /** Which runs there were before it. */
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
    if (!isUnderWay || isAsking) return
    const timer = setTimeout(askAgain, lookEveryMs)
    return () => clearTimeout(timer)
  }, [isUnderWay, isAsking, askAgain])

  const start = async (): Promise<void> => {
    setIsOrdering(true)
    setRefusal(undefined)
    setOrder(undefined)
    const before = new Set(runs.map(({ id }) => id))
    const outcome = await askBilling('/api/billing/reconcile', { method: 'POST' })
    setIsOrdering(false)
    if ('refusal' in outcome) {
      setRefusal(outcome.refusal.sentence)
      return
    }
    setOrder({ before })
    askAgain()
  }

  const isBusy = isOrdering || isUnderWay
  const progress = isInLine ? (isLate ? stillInLine : inLine) : comparing
  return (
    <div className="billing-reconcile">
      <div className="billing-steps">
        <button
          type="button"
          className="button button-solid"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) void start()
          }}
        >
          {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
          {isBusy ? 'Reconciling...' : 'Reconcile now'}
        </button>
      </div>
      <Announced>
        {refusal === undefined ? null : <Notice tone="failed">{refusal}</Notice>}
        {isUnderWay ? (
          <Notice tone="calm">{reportRefusal === undefined ? progress : `${unseen} ${reportRefusal.sentence}`}</Notice>
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
      <p>{run.state === 'broken_off' ? 'The reconciliation was broken off; the next one goes on.' : runInWords(run)}</p>
      <p>{seen}</p>
    </Notice>
  )
}

const runHeads = ['Began', 'What', 'Compared', 'Differences', 'Outcome'] as const

function Runs({ runs, now }: { runs: BillingRunForAdmin[]; now: number }) {
  return (
    <BillingTable label="Comparisons" heads={runHeads}>
      {runs.map((run) => (
        <tr key={run.id} className={isWhole(run) || run.state === 'under_way' ? undefined : 'is-odd'}>
          <td>
            <BillingMoment at={run.startedAt} now={now} />
          </td>
          <td>{run.scope === 'all' ? 'everything' : 'what was due'}</td>
          <td className="billing-figure">{run.checked.toLocaleString('en-US')}</td>
          <td className="billing-figure">{run.drifts.toLocaleString('en-US')}</td>
          <td>{runInWords(run)}</td>
        </tr>
      ))}
    </BillingTable>
  )
}

const driftHeads = ['Found', 'Member', 'What', 'We had', 'Stripe had'] as const

function Drifts({ drifts, now }: { drifts: DriftForAdmin[]; now: number }) {
  return (
    <BillingTable label="Differences found" heads={driftHeads}>
      {drifts.map(({ id, member, subscriptionId, what, ours, stripes, isHealed, changedAt }) => (
        <tr key={id} className={isHealed ? undefined : 'is-odd'}>
          <td>
            <BillingMoment at={changedAt} now={now} />
          </td>
          <td>
            {member === null ? (
              <span className="billing-nothing">{isHealed ? 'deleted account' : 'nobody here'}</span>
            ) : (
              <Link className="text-link" to={`/admin/billing/${member.id}`} title={member.email}>
                <bdi>{member.name}</bdi>
              </Link>
            )}
          </td>
          <td title={subscriptionId ?? undefined}>
            {whatInWords(what)}
            {isHealed ? null : (
              <>
                {' '}
                <span className="accent-banned">
                  <Badge>not healed</Badge>
                </span>
              </>
            )}
          </td>
          <td>
            <BillingValue value={ours} isExact />
          </td>
          <td>
            <BillingValue value={stripes} isExact />
          </td>
        </tr>
      ))}
    </BillingTable>
  )
}
