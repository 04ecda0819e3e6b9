import { Icon } from '../../../ui/icon.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { saveFile } from '../../../browser/save-file.ts'
import { MemberExport } from '../account/account-schema.ts'
import { AccountPart } from './settings-section.tsx'

/** Everything that the site keeps of the member, as a file. */
export function DownloadMyData() {
  const download = useApiMutation({ mutationFn: saveMyData })

  return (
    <AccountPart title="Your Data">
      <p>Your account, your sessions and your payments, as a JSON file. It holds no password and no token.</p>
      <div className="account-steps">
        <button
          type="button"
          className="button"
          aria-disabled={download.isPending}
          onClick={() => {
            if (!download.isPending) download.mutate()
          }}
        >
          <Icon name="download" />
          {download.isPending ? 'Preparing...' : 'Download my data'}
        </button>
      </div>
      <Announced>
        {download.error === null ? null : <Notice tone="failed">{download.error.message}</Notice>}
        {download.data === undefined ? null : <Notice tone="done">{`Saved as ${download.data}.`}</Notice>}
      </Announced>
    </AccountPart>
  )
}

/** @returns the name of the file */
async function saveMyData(): Promise<string> {
  const data = await request('/auth/export', MemberExport)
  const name = `my-data-${new Date().toISOString().slice(0, 10)}.json`
  saveFile(name, new Blob([`${JSON.stringify(data, undefined, 2)}\n`], { type: 'application/json' }))
  return name
}
