import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { changeAnswer, refetchAnswers } from '../../../../browser/queries.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { type GatewayReport, GatewaySettings } from '../gateway-schema.ts'
import { providerName } from './gateway-words.ts'

export function GatewayStateNote({
  settings,
  report: { state },
}: {
  settings: GatewaySettings
  report: GatewayReport
}) {
  const [isAsking, setIsAsking] = useState(false)
  const { inForce, fault, faultSince, isIdle } = state
  const switchOff = async (): Promise<void> => {
    // Turns it off, also after somebody else's save.
    const current = await request('/api/gateway', GatewaySettings)
    const body = { ...current, provider: 'off' }
    const saved = await request('/api/gateway', GatewaySettings, { method: 'PUT', body })
    setIsAsking(false)
    changeAnswer('/api/gateway', () => saved)
    refetchAnswers('/api/gateway/report')
  }
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
      {inForce !== 'off' && isIdle ? (
        <Notice tone="calm">
          <p>
            None of your links is on a known file host, so every download is a direct link. FILE_HOSTS sets the hosts.
          </p>
        </Notice>
      ) : null}
      {fault === null ? null : (
        <Notice tone="failed">
          <p>{faultSince === null ? 'Fails open.' : `Fails open since ${timeInWords(faultSince)}.`}</p>
          <p>{fault}</p>
        </Notice>
      )}
      {isAsking ? (
        <ConfirmDialog
          title="Switch the gateway off?"
          label="Switch off"
          labelWhileSending="Switching off..."
          otherwise="An error occurred. Please try again."
          act={switchOff}
          onClose={() => setIsAsking(false)}
        >
          <p>Every download becomes a direct link at once, for everybody. The other settings stay as they are.</p>
        </ConfirmDialog>
      ) : null}
    </section>
  )
}
