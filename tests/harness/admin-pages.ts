import { pages } from '../../src/app/pages.ts'
import type { MadeMember } from './members.ts'

/** The address of every page of the administration; those of one member are about this one, that of a notice about none. */
export function adminPaths(about: Pick<MadeMember, 'id'>): string[] {
  const paths = pages
    .filter((page) => page.kind === 'shell' && page.access === 'admin')
    .map(({ path }) => path.replace(':id', about.id).replace(':reference', 'N-0000-0000'))
  if (paths.length < 15 || paths.some((path) => path.includes(':'))) throw new Error(`Not all of them: ${paths.join()}`)
  return paths
}
