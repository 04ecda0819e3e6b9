import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { MemberBilling } from '../billing-schema.ts'
import { type FactBeside, type ThingBeside, thingsBeside } from './billing-beside.ts'
import { BillingSection } from './billing-section.tsx'
import { Moment } from '../../../../browser/moment.tsx'
import { BillingValue } from './billing-value.tsx'
import { factInWords } from './billing-words.ts'

const cancellations = {
  refund: 'its current period was refunded in full',
  dispute_lost: 'a dispute was lost',
  second_subscription: 'it is a second one, which would charge twice',
  disabled: 'the membership is disabled',
} as const

/** Our state of a member beside Stripe's; what differs says so. */
export function BillingState({
  billing: { local, remote, differences },
  now,
}: {
  billing: MemberBilling
  now: number
}) {
  const read = remote !== null && !('unavailable' in remote) ? remote : undefined
  const things = thingsBeside(local, read, differences)
  return (
    <BillingSection title="Our records and Stripe's">
      {remote === null ? <p className="billing-state">No customer at Stripe</p> : null}
      {remote !== null && 'unavailable' in remote ? (
        <Notice tone="failed">
          <p>{remote.unavailable}</p>
        </Notice>
      ) : null}
      {read === undefined ? null : (
        <p className="billing-state">
          {differences.length === 0 ? 'No differences' : `${counted(differences.length, 'difference')} from Stripe`}
        </p>
      )}
      <dl className="billing-facts">
        <div>
          <dt>Customer</dt>
          <dd>
            {local.stripeCustomer === null ? 'none' : <code>{local.stripeCustomer}</code>}
            {read?.isCustomerDeleted === true ? (
              <>
                {' '}
                <Differs>deleted at Stripe</Differs>
              </>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Last synced</dt>
          <dd>{local.syncedAt === null ? 'never' : <Moment at={local.syncedAt} now={now} />}</dd>
        </div>
      </dl>
      {read?.toCancel.map(({ subscriptionId, why }) => (
        <Notice key={subscriptionId} tone="calm">
          <p>
            The next sync cancels <code>{subscriptionId}</code> at Stripe: {cancellations[why]}.
          </p>
        </Notice>
      ))}
      {things.length === 0 ? (
        <p className="billing-empty">No subscription yet, and no access given by hand.</p>
      ) : (
        <table className="billing-beside">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Ours</th>
              {read === undefined ? null : <th scope="col">Stripe&apos;s</th>}
            </tr>
          </thead>
          {things.map((thing) => (
            <Thing key={thing.key} thing={thing} isBeside={read !== undefined} />
          ))}
        </table>
      )}
    </BillingSection>
  )
}

function Thing({ thing, isBeside }: { thing: ThingBeside; isBeside: boolean }) {
  const { kind, id, facts, onlyAt, differs } = thing
  return (
    <tbody>
      <tr className={differs ? 'is-odd' : undefined}>
        <th className="billing-thing" colSpan={isBeside ? 3 : 2} scope="rowgroup">
          {kind} {id === null ? 'given by hand' : <code>{id}</code>}
          {onlyAt === undefined ? null : differs ? (
            <>
              {' '}
              <Differs>{onlyAt === 'us' ? 'only with us' : 'only at Stripe'}</Differs>
            </>
          ) : (
            <span className="billing-aside"> no longer listed at Stripe</span>
          )}
        </th>
      </tr>
      {facts.map((fact) => (
        <FactRow key={fact.name} fact={fact} thing={thing} isBeside={isBeside} />
      ))}
    </tbody>
  )
}

function FactRow({ fact, thing, isBeside }: { fact: FactBeside; thing: ThingBeside; isBeside: boolean }) {
  const { name, local, remote, differs } = fact
  const nowhere = <span className="billing-nothing">not there</span>
  return (
    <tr className={differs ? 'is-odd' : undefined}>
      <th scope="row">
        {factInWords(name)}
        {differs ? (
          <>
            {' '}
            <Differs>differs</Differs>
          </>
        ) : null}
      </th>
      <td>{thing.onlyAt === 'Stripe' ? nowhere : <BillingValue value={local} isExact={differs} />}</td>
      {isBeside ? (
        <td>
          {thing.id === null ? (
            <span className="billing-nothing">ours alone</span>
          ) : thing.onlyAt === 'us' ? (
            nowhere
          ) : (
            <BillingValue value={remote} isExact={differs} />
          )}
        </td>
      ) : null}
    </tr>
  )
}

/** Marks a difference, by a word and not by colour alone. */
export function Differs({ children }: { children: string }) {
  return (
    <span className="accent-banned">
      <Badge>{children}</Badge>
    </span>
  )
}
