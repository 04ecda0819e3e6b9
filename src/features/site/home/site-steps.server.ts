import type { FirstStep, Problem } from '../../office/contributions.ts'
import type { SiteApp } from '../app.ts'
import { failuresShownForDays } from './record-job-failure.server.ts'

const dayMs = 86_400_000

/** Whether visitors reach the site under an address of its own. */
export function readAddressStep({ config }: Pick<SiteApp, 'config'>): Promise<FirstStep> {
  const { publicUrl, publicUrlIsSet } = config
  const isDone = publicUrlIsSet && publicUrl.startsWith('https:')
  const help = isDone
    ? `Visitors reach the site at ${publicUrl}.`
    : publicUrlIsSet
      ? `The address ${publicUrl} is not encrypted. Set PUBLIC_URL to one that begins with https, then restart the server.`
      : 'Set PUBLIC_URL to the address of the site, such as https://library.example, then restart the server.'
  return Promise.resolve({ title: 'Give the site its address', isDone, help })
}

/** Whether mails reach anybody. */
export function readMailStep({ config }: Pick<SiteApp, 'config'>): Promise<FirstStep> {
  const isDone = config.smtpUrl !== undefined
  const help = isDone
    ? `Emails are sent from ${config.mailFrom.address}.`
    : 'Emails are written to files and reach nobody. Set SMTP_URL to your mail server, then restart the server.'
  return Promise.resolve({ title: 'Send emails', isDone, help })
}

/** 'Mail: 212 sent in 24 hours, none waiting' */
export async function readMailStanding({
  config,
  jobs,
  db,
  clock,
}: Pick<SiteApp, 'config' | 'jobs' | 'db' | 'clock'>): Promise<string> {
  if (config.smtpUrl === undefined) return 'Mail: written to files'
  const [counts, sent] = await Promise.all([
    jobs.desk.count(),
    db
      .selectFrom('sent_emails')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('at', '>', new Date(clock.now() - dayMs))
      // The mail server had taken the ones that are reported afterwards, too.
      .where('fate', 'in', ['sent', 'bounced', 'complained'])
      .executeTakeFirstOrThrow(),
  ])
  const waiting = counts.find(({ state }) => state === 'waiting')?.emails ?? 0
  const words = (count: number): string => (count === 0 ? 'none' : count.toLocaleString('en-US'))
  return `Mail: ${words(Number(sent.count))} sent in 24 hours, ${words(waiting)} waiting`
}

/** Jobs that failed for good in the last days or fail again and again, and repeated work whose last run failed. */
export async function readJobProblems({ db, clock, jobs }: Pick<SiteApp, 'db' | 'clock' | 'jobs'>): Promise<Problem[]> {
  const [givenUp, retried] = await Promise.all([
    db
      .selectFrom('job_failures')
      .selectAll()
      .where('failed_at', '>', new Date(clock.now() - failuresShownForDays * dayMs))
      .orderBy('failed_at', 'desc')
      .execute(),
    jobs.desk.readRetried(3),
  ])
  return [
    ...retried.map(({ name, jobs: count }) => ({
      group: 'failed' as const,
      sentence: `${subjectOf(name, count)} failed several times and will be tried again.`,
      to: '/admin/jobs?state=waiting',
    })),
    ...givenUp.map(({ name, failures, failed_at: since, reason }) => ({
      group: 'failed' as const,
      sentence: `${subjectOf(name, failures)} failed and will ${jobs.isRepeated(name) ? 'run again on schedule' : 'not be tried again'}`,
      line: reason.replace(/\.?$/, '.'),
      since,
      to: '/admin/jobs?state=failed',
    })),
  ]
}

/** 'The job catalogue.check-links', '3 emails'. */
function subjectOf(name: string, count: number): string {
  if (name === 'mail') return count === 1 ? 'An email' : `${count.toLocaleString('en-US')} emails`
  return count === 1 ? `The job ${name}` : `${count.toLocaleString('en-US')} jobs ${name}`
}

export function readDiskProblem({ diskSpace }: Pick<SiteApp, 'diskSpace'>): Promise<Problem[]> {
  const { warning } = diskSpace
  return Promise.resolve(warning === undefined ? [] : [{ sentence: warning }])
}
