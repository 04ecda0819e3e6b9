import type { LinkState } from '../features/catalogue/item/link-slots.ts'
import { checkManyLinks } from '../features/catalogue/links/check-many-links.server.ts'
import type { LinkChoice } from '../features/catalogue/links/due-links.server.ts'
import { LinkProbe } from '../features/catalogue/links/link-probe.server.ts'
import { ProgressLine } from '../platform/cli/progress-line.ts'
import { openRateLimits } from '../platform/rate-limit/rate-limits.ts'
import { counted } from '../platform/counted.ts'
import { type Command, readArguments, type WithApp } from './command.ts'

export const checkLinksCommand: Command = {
  usage: `  check-links [--all] [--item SLUG]
      Checks the links that are due, whatever LINK_CHECKS says.
        --all         check every link
        --item SLUG   check the links of one item
      Ends with 0 when no link that was checked is dead or in doubt, with 3 when some are, with 1 when it could not run.
`,
  run: runCheckLinks,
}

async function runCheckLinks(args: string[], withApp: WithApp): Promise<number> {
  const { values } = readArguments(args, { all: { type: 'boolean', default: false }, item: { type: 'string' } }, 0)
  const { all, item: slug } = values
  const stop = new AbortController()
  // Asked to stop, it ends the checks under way: they stay due. Asked twice, it ends at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return withApp(async (app) => {
    if (app.rehearsal.isOn) throw new Error('This is a rehearsal: no links are checked.')
    const since = app.clock.now()
    const choice: LinkChoice =
      slug !== undefined ? { kind: 'all', since, slug } : all ? { kind: 'all', since } : { kind: 'due' }
    const line = new ProgressLine(process.stderr)
    try {
      const linkProbe = new LinkProbe({ config: app.config, limits: openRateLimits({ redisUrl: undefined }, app.log) })
      const tally = await checkManyLinks({ ...app, linkProbe }, choice, {
        signal: stop.signal,
        onProgress: (done, total) => line.show({ done, total, count: done, noun: 'links' }),
      })
      line.clear()
      process.stdout.write(linkSummary(tally))
      return tally.dead + tally.suspect > 0 ? 3 : 0
    } finally {
      line.clear()
    }
  })
}

function linkSummary({ ok, suspect, dead, unknown }: Record<LinkState, number>): string {
  const number = (count: number): string => count.toLocaleString('en-US')
  const count = ok + suspect + dead + unknown
  if (count === 0) return 'No link is due.\n'
  const states = `${number(ok)} ok, ${number(suspect)} suspect, ${number(dead)} dead, ${number(unknown)} unknown`
  return `${counted(count, 'link was', 'links were')} checked: ${states}.\n`
}
