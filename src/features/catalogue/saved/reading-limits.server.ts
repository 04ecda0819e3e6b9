import { limitKey } from '../../../platform/rate-limit/consume-all.ts'

/** A page asks once, a press of a key writes a row: what a person does fits in easily. */
export const limitMemory = limitKey({ name: 'memory.member', points: 240, seconds: 60 })

/** A tab signs in five minutes once. */
export const limitVisits = limitKey({ name: 'memory.visits', points: 30, seconds: 300 })
