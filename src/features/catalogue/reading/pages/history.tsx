import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { unindexedMeta } from '../../../../ui/unindexed-meta.ts'
import { WorkEmpty } from '../../../../ui/work-page.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { catalogueContext } from '../../page-context.ts'
import { ReadersPage } from '../parts/readers-page.tsx'
import { RememberedList, type RememberedTexts } from '../parts/remembered-list.tsx'
import type { Route } from './+types/history.ts'

export { staysLoaded as shouldRevalidate } from '../../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(catalogueContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Download history')

const path = '/account/downloads'

const texts: RememberedTexts = {
  failed: 'Your downloads could not be loaded.',
  when: 'Downloaded',
  takeOut: 'Forget',
  takenOut: 'Forgotten.',
}

export default function HistoryRoute() {
  return (
    <ReadersPage
      title="Download history"
      lead="The last download of each link, for 400 days. Only you see it, and you decide whether it is kept."
    >
      <RememberedList
        path={path}
        texts={texts}
        Tools={HistoryTools}
        empty={<WorkEmpty>No downloads yet. Downloads that you start while signed in appear here.</WorkEmpty>}
        emptyWhileOff={<WorkEmpty>Your downloads are not remembered.</WorkEmpty>}
      />
    </ReadersPage>
  )
}

function HistoryTools({
  keepsHistory,
  isEmpty,
  reload,
}: {
  keepsHistory: boolean
  isEmpty: boolean
  reload: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  const keep = useApiMutation<undefined, boolean>({
    mutationFn: (isKept) => request(path, noAnswer, { method: 'PUT', body: { keepsHistory: isKept } }),
    onSuccess: reload,
  })
  return (
    <>
      <div className="readers-tools">
        <Checkbox
          name="keepsHistory"
          label="Remember my downloads"
          checked={keep.isPending ? keep.variables : keepsHistory}
          onChange={({ currentTarget }) => keep.mutate(currentTarget.checked)}
        />
        {isEmpty ? null : <Button label="Clear the history" onClick={() => setAsking(true)} />}
      </div>
      <Announced>{keep.error === null ? null : <Notice tone="failed">{keep.error.message}</Notice>}</Announced>
      {isAsking ? (
        <ConfirmDialog
          title="Clear the history"
          label="Clear the history"
          labelWhileSending="Clearing..."
          otherwise="The history could not be cleared."
          isGrave
          act={async () => {
            await request(path, noAnswer, { method: 'DELETE' })
            setAsking(false)
            reload()
          }}
          onClose={() => setAsking(false)}
        >
          <p>The list of your downloads is cleared; your files stay where they are. This cannot be undone.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
