import { journalCheck, keepJournal } from './journal/keep-journal.server.ts'
import { reconcileJournal } from './journal/reconcile-journal.server.ts'
import { noticeActions, noticeSubjects } from './audit-words.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import type { NoticesApp } from './app.ts'
import { readOverdueNotices, readWaitingNotices } from './desk/desk-home.server.ts'
import { noticeInvariants } from './desk/notice-invariants.server.ts'
import { noticeMetrics } from './desk/notice-metrics.server.ts'
import { noticeEmails } from './emails/notice-emails.server.ts'
import { noticeJobs } from './jobs.server.ts'
import {
  readContactStep,
  readAgentStep,
  readRegistrationEnded,
  readRegistrationEnding,
} from './transparency/agent-home.server.ts'
import { agentTexts } from './transparency/agent.ts'

export const noticesContributions: FeatureContributions<NoticesApp> = {
  auditActions: noticeActions,
  auditSubjects: noticeSubjects,
  // A restored backup has brought back what was removed since: nothing is served before it is gone again.
  onStart: [reconcileJournal],
  onServing: [keepJournal],
  jobs: noticeJobs,
  emails: noticeEmails,
  invariants: noticeInvariants,
  doctorChecks: { database: [journalCheck] },
  metrics: [noticeMetrics],
  texts: () => Promise.resolve(agentTexts),
  adminHome: {
    firstSteps: [
      { order: 52, name: 'contact', read: readContactStep },
      { order: 55, name: 'agent', read: readAgentStep },
    ],
    waiting: [readWaitingNotices, readRegistrationEnding],
    problems: { 'notices-overdue': readOverdueNotices, 'agent-registration': readRegistrationEnded },
  },
}
