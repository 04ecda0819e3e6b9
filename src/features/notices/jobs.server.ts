import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import type { NoticesApp } from './app.ts'
import { workOnClocks } from './desk/work-on-clocks.server.ts'
import { forgetSenders } from './notice/forget-senders.server.ts'
import { forgetOrigins } from './notice/hidden-at-once.server.ts'
import { remindRegistration } from './transparency/remind-registration.server.ts'

export const noticeJobs: readonly JobContribution<NoticesApp>[] = [
  { name: 'notices.clocks', cron: '* * * * *', work: (app) => workOnClocks(app) },
  { name: 'notices.forget-origins', cron: '37 * * * *', work: forgetOrigins },
  { name: 'notices.forget-senders', cron: '43 3 * * *', work: forgetSenders },
  { name: 'notices.remind-registration', cron: '23 * * * *', work: remindRegistration },
]
