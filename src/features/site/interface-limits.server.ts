import { limitAddress } from '../../platform/rate-limit/consume-all.ts'

/** Looks at the description of the interface: a program reads it once; it is the largest answer that is open to anybody. */
export const limitInterface = limitAddress({ name: 'interface.block', points: 60, seconds: 600 })
