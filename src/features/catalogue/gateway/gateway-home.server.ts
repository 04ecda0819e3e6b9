import type { Problem } from '../../office/contributions.ts'
import type { CatalogueApp } from '../app.ts'

export function readGatewayProblem({ gateway }: Pick<CatalogueApp, 'gateway'>): Promise<Problem[]> {
  const { fault, faultSince } = gateway.state
  if (fault === undefined) return Promise.resolve([])
  const since = faultSince === undefined ? {} : { since: new Date(faultSince) }
  return Promise.resolve([{ sentence: `The gateway is off: ${fault}`, to: '/admin/gateway', ...since }])
}
