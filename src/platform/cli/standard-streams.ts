/**
 * Lets the process outlive the reader of its output: a log reader that has gone, or a disk of logs that is full, is no
 * reason to stop serving.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
