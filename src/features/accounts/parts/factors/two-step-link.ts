/** The part of the page of security where two-step sign-in is set up. */
export const twoStepId = 'two-step-sign-in'

/** Where links lead that mean it. */
export const twoStepPath = `/account/security#${twoStepId}`

/** What such a link carries: where its reader wants to go on once it is set up. */
export interface TwoStepState {
  backTo: string
}

/** The page that a link has come from. */
export function backToIn(state: unknown): string | undefined {
  const backTo = (state as Partial<TwoStepState> | null)?.backTo
  return typeof backTo === 'string' && backTo.startsWith('/') ? backTo : undefined
}
