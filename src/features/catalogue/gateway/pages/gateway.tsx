import { request } from '../../../../browser/api-client.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { GatewayReport, GatewaySettings } from '../gateway-schema.ts'
import { GatewayForm } from '../parts/gateway-form.tsx'
import { GatewayPassages } from '../parts/gateway-passages.tsx'
import { GatewayStateNote } from '../parts/gateway-state.tsx'
import '../parts/gateway.css'

export const handle = { title: 'Gateway' } satisfies TitledPage

export const meta = guardedMeta

export default function GatewayRoute() {
  const settings = useAdminQuery('/api/gateway', GatewaySettings)
  const report = useAdminQuery('/api/gateway/report', GatewayReport)
  const refetch = (): void => {
    settings.refetch()
    report.refetch()
  }
  const error = settings.error ?? report.error
  const isFetching = settings.isFetching || report.isFetching
  const isReady = settings.data !== undefined && report.data !== undefined
  return (
    <WorkPage
      title="Gateway"
      lead="The page between free visitors and a download, and the downloads it led to. VIPs get direct links."
    >
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div aria-live="polite">{isReady ? null : <WorkAwaited query={{ error, isFetching, refetch }} />}</div>
      {settings.data !== undefined && report.data !== undefined ? (
        <>
          <GatewayStateNote settings={settings.data} report={report.data} />
          <GatewayPassages report={report.data} />
          <GatewayForm
            settings={settings.data}
            readAgain={async () => {
              const current = await request('/api/gateway', GatewaySettings)
              settings.setData(() => current)
              report.refetch()
              return current
            }}
          />
        </>
      ) : null}
    </WorkPage>
  )
}
