import { downloadFile } from '../../../../browser/api-files.ts'
import { FileButton } from '../../parts/file-button.tsx'

/** The rows that an import has rejected, as a file that can be mended and imported. */
export function RejectsDownload({ path }: { path: string }) {
  return (
    <>
      <p>The rejected rows stand in a file with their reasons: mend them there, and import that file.</p>
      <div className="data-actions">
        <FileButton save={() => downloadFile(path)}>Download the rejects file</FileButton>
      </div>
    </>
  )
}
