import { join } from 'node:path'

/** The folder of the whole package. This file lies two folders deep in it, and so does the built server. */
export const packageRoot = join(import.meta.dirname, '..', '..')

/** Whether this is the built server, whose programs lie in one folder, without their sources. */
export const isBuilt = import.meta.filename.endsWith('.js')
