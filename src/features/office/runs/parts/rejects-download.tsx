import { downloadFile } from '../../../../browser/api-files.ts'
import { FileButton } from '../../parts/file-button.tsx'

/** The rows that an import has rejected or left as drafts, as a file that can be corrected and imported. */
export function RejectsDownload({ path }: { path: string }) {
  return (
    <>
      <p>
        Rows that were rejected or stayed drafts are in a file, with their reasons. Correct them there, and import that
        file.
      </p>
      <div className="data-actions">
        <FileButton save={() => downloadFile(path)}>Download the rejects file</FileButton>
      </div>
    </>
  )
}
