/** The part of the page of security where two-step sign-in is set up. */
export const twoStepId = 'two-step-sign-in'

export const twoStepPath = `/account/security#${twoStepId}`

/** The state of such a link: the page to which its reader returns after the setup. */
export interface TwoStepState {
  backTo: string
}

/** The page that a link has come from. */
export function backToIn(state: unknown): string | undefined {
  const backTo = (state as Partial<TwoStepState> | null)?.backTo
  return typeof backTo === 'string' && backTo.startsWith('/') ? backTo : undefined
}
