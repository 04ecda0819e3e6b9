import { Fragment, useEffect } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { type FormField, fieldsOf, formOfKind, formPath, noticeForms } from '../intake/notice-forms.ts'
import { whatHappens } from '../intake/what-happens.ts'
import type { TrackedDecision, TrackedNotice } from '../intake/read-tracked-notice.server.ts'
import { kindChangedInWords, kindLabels } from '../notice/notice-kinds.ts'
import { waysToReach } from '../notice/notice-elements.ts'
import { TypedForm } from './typed-form.tsx'
import type { Refused } from './use-typed-form.ts'
import { WithdrawForm } from './withdraw-form.tsx'
import './notices.css'
import { dropTabDraft } from '../../../browser/tab-draft.ts'

export type TrackingAct = 'add' | 'withdraw' | 'appeal'

const doneSentences: Record<TrackingAct, string> = {
  add: 'Thank you. We added this to your notice.',
  withdraw: 'You have withdrawn your notice. There is nothing more to do.',
  appeal: 'We received your appeal. We look at the decision again and answer within 5 business days.',
}

/** A notice as its sender sees it: how it stands, what is to be done, what was decided, and how it came to that. */
export function TrackedNoticeCard({
  notice,
  done,
  outcome,
}: {
  notice: TrackedNotice
  /** The act that has just succeeded. */
  done: TrackingAct | undefined
  outcome: { act: TrackingAct; refused: Refused } | undefined
}) {
  const { reference, kind, decision, trail } = notice
  useEffect(() => {
    if (done !== undefined) dropTabDraft(draftOf(reference, done))
  }, [reference, done])
  const refusedFor = (act: TrackingAct): Refused | undefined => (outcome?.act === act ? outcome.refused : undefined)
  // An act that is no longer possible shows its refusal without a form.
  const hasForm: Record<TrackingAct, boolean> = {
    add: notice.mayAnswer,
    withdraw: notice.mayWithdraw,
    appeal: notice.mayAppeal,
  }
  return (
    <div className="track">
      <Announced>
        {done === undefined ? null : (
          <Notice tone="done">
            <p>{doneSentences[done]}</p>
          </Notice>
        )}
        {outcome === undefined || hasForm[outcome.act] ? null : (
          <Notice tone="failed">
            <p>{outcome.refused.message}</p>
          </Notice>
        )}
      </Announced>
      <section aria-labelledby="state">
        <h2 id="state">{stateInWords(notice)}</h2>
        <p>{explained(notice)}</p>
      </section>
      {notice.mayAnswer ? <MissingForm notice={notice} refused={refusedFor('add')} /> : null}
      {decision === undefined ? null : <Decided decision={decision} />}
      {notice.mayAppeal && decision !== undefined ? (
        <AppealForm reference={reference} until={decision.appealUntil} refused={refusedFor('appeal')} />
      ) : null}
      {kind === 'copyright' && decision?.outcome === 'remove' && notice.status !== 'duplicate' ? (
        <section aria-labelledby="counter">
          <h2 id="counter">If you published the entry</h2>
          <p>
            Did we remove it by mistake?{' '}
            <TextLink to={`/report/counter-notice?reference=${reference}`}>Send a counter-notice</TextLink>.
          </p>
        </section>
      ) : null}
      <Reported notice={notice} />
      <section aria-labelledby="trail">
        <h2 id="trail">What happened so far</h2>
        <ol className="trail">
          {trail.map(({ no, at, sentence }) => (
            <li key={no}>
              <time>{at}</time>
              {sentence}
            </li>
          ))}
        </ol>
      </section>
      {notice.mayWithdraw ? (
        <details open={outcome?.act === 'withdraw'}>
          <summary>Withdraw this notice</summary>
          <WithdrawForm reference={reference} refusal={refusedFor('withdraw')?.message} />
        </details>
      ) : null}
      {notice.whyItStays === undefined ? null : <p>{whyItStays[notice.whyItStays]}</p>}
    </div>
  )
}

function MissingForm({ notice, refused }: { notice: TrackedNotice; refused: Refused | undefined }) {
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">What is missing</h2>
      {notice.question === undefined ? (
        <p>The law asks for this in a notice of this kind. Add what you can now. You can add the rest later.</p>
      ) : (
        <p className="track-question" dir="auto">
          {notice.question}
        </p>
      )}
      <TypedForm
        draft={draftOf(notice.reference, 'add')}
        parts={[{ title: '', fields: missingFields(notice) }]}
        hidden={{ act: 'add' }}
        typed={{}}
        refused={refused}
        send="Add to my notice"
      />
    </section>
  )
}

function AppealForm({ reference, until, refused }: { reference: string; until: string; refused: Refused | undefined }) {
  return (
    <section aria-labelledby="appeal">
      <h2 id="appeal">Do you disagree?</h2>
      <p>
        {`You can appeal until ${until}. Tell us why. Another person looks at it if there is one, and we answer within 5 business days.`}
      </p>
      <TypedForm
        draft={draftOf(reference, 'appeal')}
        parts={[{ title: '', fields: [appealField] }]}
        hidden={{ act: 'appeal' }}
        typed={{}}
        refused={refused}
        send="Send appeal"
      />
    </section>
  )
}

function Reported({ notice: { kind, sentAs, receivedAt, addresses, isOpen } }: { notice: TrackedNotice }) {
  return (
    <section aria-labelledby="about">
      <h2 id="about">What you reported</h2>
      <dl>
        <div>
          <dt>Kind</dt>
          <dd>{kindLabels[kind]}</dd>
          {sentAs === kind ? null : <dd>{kindChangedInWords(sentAs, kind)}</dd>}
        </div>
        <div>
          <dt>Received</dt>
          <dd>{receivedAt}</dd>
        </div>
        <div>
          <dt>{addresses.length === 1 ? 'Address' : 'Addresses'}</dt>
          {addresses.length === 0 ? <dd>None yet</dd> : null}
          {addresses.map((address) => (
            <dd key={address}>{address}</dd>
          ))}
        </div>
      </dl>
      {isOpen ? (
        <p>
          Did you mistype or forget an address? <TextLink to={formPath(formOfKind(kind))}>Send a new notice</TextLink>.
        </p>
      ) : null}
    </section>
  )
}

const whyItStays = {
  child: 'This notice cannot be withdrawn: where a child may be at risk, we look into it in any case.',
  repeated:
    'This notice cannot be withdrawn: others have reported the same, and we handle their notices together with yours.',
} as const

const answerParts = ['law', 'facts', 'explanation']

function Decided({ decision }: { decision: TrackedDecision }) {
  const { became, found, groundTitle, legalGround, facts, explanation, at, isBySite, appeals } = decision
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">Our decision</h2>
      <dl>
        <div>
          <dt>{at}</dt>
          <dd>{found === 'some' ? `${became} We found no entry at some of the addresses you gave.` : became}</dd>
        </div>
        <div>
          <dt>{groundTitle}</dt>
          <dd dir="auto">{legalGround}</dd>
        </div>
        <div>
          <dt>Facts</dt>
          <dd dir="auto">{facts}</dd>
        </div>
        <div>
          <dt>Why</dt>
          <dd dir="auto">{explanation}</dd>
        </div>
        {isBySite ? (
          <div>
            <dt>Decided by</dt>
            <dd>The software of this site, without a person</dd>
          </div>
        ) : null}
        {appeals.map(({ id, statement, at: filedAt, answer }) => (
          <Fragment key={id}>
            <div>
              <dt>{`Your appeal, ${filedAt}`}</dt>
              <dd dir="auto">{statement}</dd>
            </div>
            <div>
              <dt>Our answer</dt>
              {answer === undefined ? (
                <dd>We are looking at it and answer within 5 business days.</dd>
              ) : (
                <>
                  <dd>
                    {answer.isUpheld ? 'The decision stays as it is.' : 'We replaced that decision with a new one.'}
                  </dd>
                  {[answer.legalGround, answer.facts, answer.explanation].map((text, no) =>
                    text === undefined ? null : (
                      <dd key={answerParts[no]} dir="auto">
                        {text}
                      </dd>
                    ),
                  )}
                </>
              )}
            </div>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function stateInWords({ status, missing }: TrackedNotice): string {
  switch (status) {
    case 'received':
      return 'We received your notice'
    case 'needs-info':
      return missing.length === 1 ? 'We need one more thing from you' : 'We need more information from you'
    case 'in-review':
      return 'A person is reviewing your notice'
    case 'decided':
      return 'We made a decision'
    case 'closed':
      return 'Decided and closed'
    case 'withdrawn':
      return 'Withdrawn'
    case 'duplicate':
      return 'Combined with another notice'
  }
}

function explained({ status, kind, missing }: TrackedNotice): string {
  switch (status) {
    case 'received':
    case 'needs-info':
    case 'in-review':
      return whatHappens(kind, missing.length === 0)
    case 'decided':
    case 'closed':
      return 'You can read the decision and our reasons below.'
    case 'withdrawn':
      return 'You withdrew this notice, and we stopped working on it. If you change your mind, send a new one.'
    case 'duplicate':
      return 'Another notice is about the same entry. Our decision there also applies to yours.'
  }
}

const appealField: FormField = {
  name: 'explanation',
  kind: 'text',
  label: 'Why you disagree',
  help: 'What we overlooked or misunderstood.',
  isRequired: true,
  ask: 'Write why you disagree.',
}

/** The fields of the missing elements alone, as the forms ask for them; none has to be filled in at once. */
function missingFields({ kind, missing }: TrackedNotice): FormField[] {
  // We may have asked for more than the law does.
  const asked = [...fieldsOf(formOfKind(kind)), ...noticeForms.flatMap(fieldsOf)]
  return missing.flatMap((name) => {
    const names = name === 'email' ? waysToReach(kind) : [name]
    return names.flatMap((each) => {
      const field = asked.find((candidate) => candidate.name === each)
      return field === undefined ? [] : [{ ...field, isRequired: false }]
    })
  })
}

function draftOf(reference: string, act: TrackingAct): string {
  return `${reference}-${act}`
}
