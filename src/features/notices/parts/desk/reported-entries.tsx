import { Link } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import { statusNames } from '../../../catalogue/editing/parts/content-words.ts'
import type { ReportedAddress } from '../../desk/desk-schema.ts'
import { type ComparedField, comparedFields } from './entry-differences.ts'
import { Facts } from './facts.tsx'

/** This many are open at first. */
const openAtOnce = 2

/**
 * Every reported address with the entry that it led to: as it was reported, beside the entry as it is.
 * @param onDetach undefined where the notice is not open any more
 */
export function ReportedEntries({
  addresses,
  hostLabels,
  onDetach,
}: {
  addresses: readonly ReportedAddress[]
  hostLabels: readonly string[]
  onDetach: ((address: ReportedAddress) => void) | undefined
}) {
  if (addresses.length === 0) return <p>This notice names no address.</p>
  return (
    <>
      {addresses.length <= openAtOnce ? null : <p className="work-aside">{addressesInWords(addresses)}</p>}
      <ol className="desk-entries">
        {addresses.map((address) => (
          <li key={address.id}>
            <Entry
              address={address}
              fields={comparedFields(address.asReported, address.asItIs, hostLabels)}
              isOpen={addresses.length <= openAtOnce}
              onDetach={onDetach === undefined ? undefined : () => onDetach(address)}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

function Entry({
  address: { url, asReported, asItIs },
  fields,
  isOpen,
  onDetach,
}: {
  address: ReportedAddress
  fields: readonly ComparedField[]
  isOpen: boolean
  onDetach: (() => void) | undefined
}) {
  const entry = asItIs ?? asReported
  const [changed, same] = [fields.filter(({ isChanged }) => isChanged), fields.filter(({ isChanged }) => !isChanged)]
  return (
    <article className="desk-card" aria-label={entry?.name ?? url}>
      <div className="desk-card-head">
        <div className="desk-state">
          <h3>{entry === null ? 'No entry found' : <bdi>{entry.name}</bdi>}</h3>
          {asItIs === null ? null : <Badge>{statusNames[asItIs.status]}</Badge>}
          {changed.length === 0 ? null : <Badge>Changed</Badge>}
        </div>
        {onDetach === undefined ? null : (
          <Button
            look="quiet"
            label="Detach"
            about={` ${entry?.name ?? url}`}
            aria-haspopup="dialog"
            onClick={onDetach}
          />
        )}
      </div>
      <p className="work-aside desk-url">
        Reported as <UserText>{url}</UserText>
        {asItIs === null ? null : (
          <>
            {' · '}
            <Link className="work-link" to={asItIs.path} target="_blank">
              Its page<span className="sr-only">{` ${asItIs.name} (opens in a new tab)`}</span>
            </Link>
            {' · '}
            <Link className="work-link" to={`/admin/settings?edit=${asItIs.id}`} target="_blank">
              Its form<span className="sr-only">{` ${asItIs.name} (opens in a new tab)`}</span>
            </Link>
          </>
        )}
      </p>
      {fields.length === 0 ? (
        <p>{standingInWords({ asReported, asItIs }, 0)}</p>
      ) : (
        <details open={isOpen}>
          <summary>{standingInWords({ asReported, asItIs }, changed.length)}</summary>
          <div className="desk-recorded">
            {changed.length === 0 ? null : (
              <DataTable
                label={`Changed since it was reported: ${entry?.name ?? url}`}
                heads={['Changed', 'As reported', 'As it is']}
              >
                {changed.map((field) => (
                  <tr key={field.label}>
                    <td>{field.label}</td>
                    <td className="desk-value">
                      <Value>{field.reported}</Value>
                    </td>
                    <td className="desk-value">
                      <Value>{field.now}</Value>
                    </td>
                  </tr>
                ))}
              </DataTable>
            )}
            {same.length === 0 ? null : (
              <>
                {changed.length === 0 ? null : <h4>What is the same</h4>}
                <Facts
                  className="desk-facts desk-same"
                  of={same.map(({ label, now, reported }) => [label, <Value key={label}>{now ?? reported}</Value>])}
                />
              </>
            )}
          </div>
        </details>
      )}
    </article>
  )
}

function standingInWords(
  { asReported, asItIs }: Pick<ReportedAddress, 'asReported' | 'asItIs'>,
  changes: number,
): string {
  if (asReported === null && asItIs === null) return 'The address leads to no entry of this site.'
  if (asItIs === null) return 'The entry was deleted after it was reported. This is what we know about it.'
  if (asReported === null) return 'No copy was kept when it was reported.'
  return changes === 0
    ? 'It has not changed since it was reported.'
    : `${counted(changes, 'field')} ${changes === 1 ? 'has' : 'have'} changed since it was reported.`
}

/** '50 addresses. 7 lead to no entry, 9 entries were deleted since.' */
function addressesInWords(addresses: readonly ReportedAddress[]): string {
  const none = addresses.filter(({ asReported, asItIs }) => asReported === null && asItIs === null).length
  const deleted = addresses.filter(({ asReported, asItIs }) => asReported !== null && asItIs === null).length
  const rest = [
    ...(none === 0 ? [] : [`${none} ${none === 1 ? 'leads' : 'lead'} to no entry`]),
    ...(deleted === 0 ? [] : [`${counted(deleted, 'entry was', 'entries were')} deleted since`]),
  ].join(', ')
  return `${counted(addresses.length, 'address', 'addresses')}.${rest === '' ? '' : ` ${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`}`
}

function Value({ children: value }: { children: string | null }) {
  return value === null ? <span className="work-aside">None</span> : <bdi>{value}</bdi>
}
