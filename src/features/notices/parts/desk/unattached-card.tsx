import { timeInWords } from '../../../../browser/format-instant.ts'
import { GivenText } from '../../../office/parts/given-text.tsx'
import type { UnattachedCounterNotice } from '../../desk/desk-schema.ts'

/** A counter-notice without a notice, with everything that was typed into it. */
export function UnattachedCard({
  counterNotice,
  onAttach,
  onRefuse,
}: {
  counterNotice: UnattachedCounterNotice
  onAttach: () => void
  onRefuse: () => void
}) {
  const { reference, name, address, phone, email, explanation, addresses, signature } = counterNotice
  const { receivedAt, forgottenAt } = counterNotice
  return (
    <>
      <h3>
        {'From '}
        <GivenText>{name}</GivenText>
      </h3>
      <p className="work-aside">{`Received ${timeInWords(receivedAt)}.`}</p>
      <dl className="desk-facts">
        <div>
          <dt>Reference as typed</dt>
          <dd>
            <GivenText>{reference}</GivenText>
          </dd>
        </div>
        <div>
          <dt>Where it stood, as typed</dt>
          <dd>
            {addresses.length === 0
              ? 'Not given'
              : addresses.map((typed) => (
                  <div key={typed} className="desk-url">
                    <GivenText>{typed}</GivenText>
                  </div>
                ))}
          </dd>
        </div>
        <div>
          <dt>What they say</dt>
          <dd className="desk-words" dir="auto">
            {explanation}
          </dd>
        </div>
        {(
          [
            ['Postal address', address],
            ['Telephone', phone],
            ['Email', email],
            ['Signed', signature],
          ] as const
        ).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <GivenText>{value}</GivenText>
            </dd>
          </div>
        ))}
      </dl>
      {forgottenAt === null ? null : (
        <p className="work-aside">
          {`Postal address, telephone and signature were deleted ${timeInWords(forgottenAt)}. It can only be refused.`}
        </p>
      )}
      <div className="desk-actions">
        {forgottenAt === null ? (
          <button type="button" className="button button-solid" aria-haspopup="dialog" onClick={onAttach}>
            Attach to a notice
          </button>
        ) : null}
        <button type="button" className="button" aria-haspopup="dialog" onClick={onRefuse}>
          Refuse
        </button>
      </div>
    </>
  )
}
