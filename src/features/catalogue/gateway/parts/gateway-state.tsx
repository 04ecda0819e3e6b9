import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { type GatewayReport, GatewaySettings } from '../gateway-schema.ts'
import { providerName } from './gateway-words.ts'

/** Whether it works, in one sentence, and the way to switch it off at once. */
export function GatewayStateNote({
  settings,
  report: { state },
}: {
  settings: GatewaySettings
  report: GatewayReport
}) {
  const [isAsking, setIsAsking] = useState(false)
  const { inForce, fault, faultSince } = state
  const switchOff = useApiMutation({
    // Turns it off, also after somebody else's save.
    mutationFn: async () => {
      const current = await request('/api/gateway', GatewaySettings)
      return request('/api/gateway', GatewaySettings, { method: 'PUT', body: { ...current, provider: 'off' } })
    },
    onError: recheckAccess,
    onSuccess: () => {
      setIsAsking(false)
      refetchAnswers('/api/gateway', '/api/gateway/report')
    },
  })
  return (
    <section className="gateway-state" aria-label="State">
      <p className="gateway-sentence">
        {inForce === 'off' ? 'Gateway is off: downloads are direct links.' : `Gateway is on: ${providerName(inForce)}`}
      </p>
      {settings.provider === 'off' ? null : (
        <button type="button" className="button gateway-off" onClick={() => setIsAsking(true)}>
          Switch off now
        </button>
      )}
      {fault === null ? null : (
        <Notice tone="failed">
          <p>{faultSince === null ? 'Fails open.' : `Fails open since ${timeInWords(faultSince)}.`}</p>
          <p>{fault}</p>
        </Notice>
      )}
      {isAsking ? (
        <Dialog title="Switch the gateway off?" isBusy={switchOff.isPending} onClose={() => setIsAsking(false)}>
          <p>Every download becomes a direct link at once, for everybody. The other settings stay as they are.</p>
          <Announced>
            {switchOff.error === null ? null : <Notice tone="failed">{switchOff.error.message}</Notice>}
          </Announced>
          <div className="gateway-steps">
            <button type="button" className="button" disabled={switchOff.isPending} onClick={() => setIsAsking(false)}>
              Cancel
            </button>
            <button
              type="button"
              className="button button-solid"
              disabled={switchOff.isPending}
              onClick={() => switchOff.mutate()}
            >
              {switchOff.isPending ? 'Switching off...' : 'Switch off'}
            </button>
          </div>
        </Dialog>
      ) : null}
    </section>
  )
}
