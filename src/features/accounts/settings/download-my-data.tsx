import { request } from '../../../browser/api-client.ts'
import { saveFile } from '../../../browser/save-file.ts'
import { ExportWithAccount } from '../account/account-schema.ts'
import { FileButton } from '../../office/parts/file-button.tsx'
import { AccountPart } from './settings-section.tsx'

export function DownloadMyData() {
  return (
    <AccountPart title="Your Data">
      <p>
        Everything kept with your account, as a JSON file: profile, payments, reading, requests and messages. It holds
        no password and no token.
      </p>
      <div className="button-row account-steps">
        <FileButton save={saveMyData}>Download my data</FileButton>
      </div>
    </AccountPart>
  )
}

/** @returns the name of the file */
async function saveMyData(): Promise<string> {
  const data = await request('/auth/export', ExportWithAccount)
  const name = `my-data-${new Date().toISOString().slice(0, 10)}.json`
  saveFile(name, new Blob([`${JSON.stringify(data, undefined, 2)}\n`], { type: 'application/json' }))
  return name
}
