import { data, redirect, useActionData } from 'react-router'
import { pageVisit } from '../../../http/pages/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { catalogueContext } from '../page-context.ts'
import { limitLooks } from '../gateway/gateway-limits.server.ts'
import { openTicket, type TicketState, redeemTicket } from '../gateway/open-ticket.server.ts'
import { TicketOver, WaitingRoom } from '../parts/wait/waiting-room.tsx'
import type { Route } from './+types/wait.ts'

/** The first GET of a ticket begins its wait. */
export async function loader({ params: { ticket }, context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  const { method, address } = context.get(pageVisit)
  // A form has taken its own.
  if (method !== 'POST') await limitLooks(app, address)
  // After a form that was refused, the method is POST: the wait is not begun.
  const state = await openTicket(app, ticket, { isOpening: method === 'GET' })
  return data(
    { brandName: app.texts.inForce.brandName, waitSeconds: app.gateway.settings.waitSeconds, ticket, state },
    { status: statusOf(state) },
  )
}

/** The form: leads to the link once the wait is over. */
export async function action({ params: { ticket }, context }: Route.ActionArgs) {
  const app = context.get(catalogueContext)
  await limitLooks(app, context.get(pageVisit).address)
  const result = await redeemTicket(app, ticket)
  if (result.kind === 'passed') throw redirect(result.location, 303)
  // The loader shows the page again.
  if (result.kind === 'unopened') return data({ isEarly: true }, { status: 403 })
  if (result.kind !== 'waiting') return data({ isEarly: false }, { status: statusOf(result) })
  const headers = { 'retry-after': String(Math.max(1, result.secondsLeft)) }
  return data({ isEarly: true }, { status: 403, headers })
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders
}

function statusOf({ kind }: TicketState): number {
  return kind === 'expired' || kind === 'served' || kind === 'gone' ? 410 : 200
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Your download', brand: loaderData?.brandName ?? 'Download', indexed: false })
}

export default function WaitRoute({ loaderData: { ticket, state, waitSeconds } }: Route.ComponentProps) {
  const { isEarly = false } = useActionData<typeof action>() ?? {}
  return state.kind === 'waiting' || state.kind === 'unopened' ? (
    <WaitingRoom ticket={ticket} state={state} waitSeconds={waitSeconds} isEarly={isEarly} />
  ) : (
    <TicketOver state={state} />
  )
}
