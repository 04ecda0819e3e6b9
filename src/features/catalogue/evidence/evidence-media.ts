/** The kinds of files that may prove a right or a consent, with their usual endings. Browser-safe. */
export const evidenceMedia: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/tiff': ['tif', 'tiff'],
  'image/webp': ['webp'],
  'message/rfc822': ['eml'],
  'text/plain': ['txt'],
}

export const maxEvidenceBytes = 20 * 1024 * 1024

/** The kind of a file by the ending of its name; undefined where it is none of these. */
export function mediaTypeOf(fileName: string): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase()
  return Object.keys(evidenceMedia).find((type) => ending !== undefined && evidenceMedia[type]?.includes(ending))
}
