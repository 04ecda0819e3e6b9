import { TextLink } from '../../../../ui/button.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { GatewayReport } from '../gateway-schema.ts'

const spans = ['Today', '7 days', '30 days']

export function GatewayPassages({ report: { passages, vipDownloads, byHost, byItem } }: { report: GatewayReport }) {
  const hasNone = passages.last30Days === 0 && vipDownloads.last30Days === 0
  return (
    <section className="work-section gateway-section" aria-labelledby="gateway-passages">
      <h2 id="gateway-passages">Downloads</h2>
      {hasNone ? <p className="work-aside">Nobody has started a download in the last 30 days.</p> : null}
      <DataTable label="Downloads started" heads={['By', ...spans]} figures={spans} isCompact>
        <Row name="Free visitors" counts={passages} />
        <Row name="VIPs" counts={vipDownloads} />
      </DataTable>
      {byHost.length === 0 ? null : (
        <div className="gateway-lists">
          <div>
            <h3>Waits by host, 30 days</h3>
            <ol>
              {byHost.map(({ host, passages: count }) => (
                <li key={host}>
                  <span>{host}</span>
                  <span>{count.toLocaleString('en-US')}</span>
                </li>
              ))}
            </ol>
          </div>
          {byItem.length === 0 ? null : (
            <div>
              <h3>Most waits, 30 days</h3>
              <ol>
                {byItem.map(({ slug, name, path, passages: count }) => (
                  <li key={slug}>
                    <TextLink to={path}>
                      <bdi>{name}</bdi>
                    </TextLink>
                    <span>{count.toLocaleString('en-US')}</span>
                  </li>
                ))}
              </ol>
            </div>
          )}
        </div>
      )}
    </section>
  )
}

function Row({ name, counts }: { name: string; counts: GatewayReport['passages'] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {[counts.today, counts.last7Days, counts.last30Days].map((count, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- always the same three columns
        <td key={place} className="data-figure">
          {count.toLocaleString('en-US')}
        </td>
      ))}
    </tr>
  )
}
