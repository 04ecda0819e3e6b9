/** The size of a file: '2.4 MB' */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes.toLocaleString('en-US')} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000).toLocaleString('en-US')} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
