export const driftPath = '/api/billing/drift'

export function memberBillingPath(id: string): string {
  return `/api/billing/members/${encodeURIComponent(id)}`
}
