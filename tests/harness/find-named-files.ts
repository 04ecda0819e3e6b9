/** In backticks: the name of a source file or of a folder, with or without the folders before it. `*` stands for any name. */
const named = /`((?:[\w.*-]+\/)*(?:[\w.*-]+\.(?:tsx?|mjs|css|sql)|[\w.*-]+\/))`/g

/**
 * Finds the names of files and folders that a document gives in backticks and that nothing has.
 *
 * A name may leave out folders before it: `jobs/jobs.ts` stands for `src/platform/jobs/jobs.ts`.
 * @param paths every file and folder of the repository, from its root; folders end with a slash
 */
export function findMissingNames(text: string, paths: readonly string[]): string[] {
  const names = new Set([...text.matchAll(named)].map(([, name = '']) => name))
  return [...names].filter((name) => {
    const pattern = new RegExp(`(?:^|/)${name.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')}$`)
    return !paths.some((path) => pattern.test(path))
  })
}
