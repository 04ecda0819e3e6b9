import { setTimeout as sleep } from 'node:timers/promises'
import { defineError } from '../../../platform/errors.ts'
import { type LinkState, linkStates } from '../item/link-slots.ts'
import { checkLinks, type LinkApp } from './check-links.server.ts'
import { countDueLinks, hasLinks, type LinkChoice } from './due-links.server.ts'
import { gatherLinks } from './gather-links.server.ts'

/** Long enough for another process to end its run. */
const waitForMs = 90_000
const lookAgainMs = 1_000

/**
 * Checks everything that is chosen, run after run, for a command.
 * @param onProgress called after each run with the checked number and the number at the beginning
 * @param signal ends the checks under way, which stay due
 * @returns the number of links by their present state
 * @throws {AppError} `links.busy`, `links.none`, `links.stopped` or `links.unreachable`
 */
export async function checkManyLinks(
  app: LinkApp,
  choice: Exclude<LinkChoice, { kind: 'front' }>,
  {
    signal = new AbortController().signal,
    onProgress = () => {},
    busyForMs = waitForMs,
  }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void; busyForMs?: number } = {},
): Promise<Record<LinkState, number>> {
  const tally: Record<LinkState, number> = { ok: 0, suspect: 0, dead: 0, unknown: 0 }
  await gatherLinks(app, () => signal.aborted)
  const total = await countDueLinks(app, choice)
  if (total === 0 && choice.kind === 'all' && choice.slug !== undefined) {
    throw noLinks(
      (await hasLinks(app, choice.slug))
        ? `All hosts of the item ${choice.slug} have asked for a pause.`
        : `There is no published item ${choice.slug}.`,
    )
  }
  let busySince: number | undefined
  for (;;) {
    const run = await checkLinks(app, { choice, waitsForNetwork: false, signal })
    for (const state of linkStates) tally[state] += run.checked[state]
    onProgress(
      linkStates.reduce((sum, state) => sum + tally[state], 0),
      total,
    )
    if (run.end === 'unreachable') throw networkUnreachable()
    if (signal.aborted) throw linkChecksStopped()
    if (run.end === 'busy') {
      busySince ??= performance.now()
      if (performance.now() - busySince >= busyForMs) throw linksBusy()
      await sleep(Math.min(lookAgainMs, busyForMs))
    } else {
      busySince = undefined
      if (!run.isMore) return tally
    }
  }
}

const noLinks = defineError({
  code: 'links.none',
  status: 404,
  remedy: 'Name the slug of a published item, or try again when the pause is over.',
  isOfCommand: true,
})

const networkUnreachable = defineError({
  code: 'links.unreachable',
  status: 503,
  sentence: 'No host can be reached: the network of this machine seems to be at fault. Nothing was counted.',
  remedy: 'Check the name server and outgoing connections of the machine.',
  isOfCommand: true,
})

const linkChecksStopped = defineError({
  code: 'links.stopped',
  status: 409,
  sentence: 'The checks were stopped. The same command goes on from there.',
  remedy: 'Start the same command again.',
  isOfCommand: true,
})

const linksBusy = defineError({
  code: 'links.busy',
  status: 409,
  sentence: 'Another process is checking links. Try again later.',
  remedy: 'Wait until the server or the other command has ended its run.',
  isOfCommand: true,
})
