import { Button } from '../../../../ui/button.tsx'
import type { ApiError } from '../../../../browser/api-client.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Progress } from '../../../../ui/progress.tsx'
import { useIsOnline } from '../../../../ui/use-is-online.ts'

export function RunProgress({
  label,
  share,
  progress,
  error,
  stop,
}: {
  label: string
  share: number
  progress: string
  /** The error of the last poll. Polling continues. */
  error: ApiError | undefined
  stop?: { label: string; isPending: boolean; onStop: () => void }
}) {
  const isOnline = useIsOnline()
  const isLost = !isOnline || error?.kind === 'network' || error?.kind === 'timeout'
  return (
    <>
      <Progress label={label} share={share}>
        {progress}
      </Progress>
      <Announced>
        {isLost ? (
          <Notice tone="calm">{lostSentence}</Notice>
        ) : error === undefined ? null : (
          <Notice tone="failed">{error.message}</Notice>
        )}
      </Announced>
      {stop === undefined ? null : (
        <div className="data-actions">
          <Button
            label={stop.label}
            isBusy={stop.isPending}
            onClick={() => (stop.isPending ? undefined : stop.onStop())}
          />
        </div>
      )}
    </>
  )
}

const lostSentence =
  'The connection is lost. The work continues on the server; progress shows here again once you are back online.'
