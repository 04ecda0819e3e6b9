import { Fragment, useEffect } from 'react'
import { Link } from 'react-router'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { type FormField, fieldsOf, formOfKind, noticeForms, whatHappens } from '../intake/notice-forms.ts'
import type { TrackedDecision, TrackedNotice } from '../intake/read-tracked-notice.server.ts'
import { kindChangedInWords } from '../notice/kind-changed-in-words.ts'
import { kindLabels } from '../notice/notice-kinds.ts'
import { dropDraft } from './typed-draft.ts'
import { type Refused, TypedForm } from './typed-form.tsx'
import './notices.css'

/** What a sender can do with a notice. */
export type TrackingAct = 'add' | 'addresses' | 'withdraw' | 'appeal'

const doneSentences: Record<TrackingAct, string> = {
  add: 'Thank you. What you added is part of your notice now.',
  addresses: 'Thank you. These addresses are part of your notice now.',
  withdraw: 'You have withdrawn your notice.',
  appeal: 'We have your objection. We look at the decision again and answer within 5 business days.',
}

/** A notice as its sender sees it: how it stands, what is to be done, what was decided, and how it came to that. */
export function TrackedNoticeCard({
  notice,
  done,
  outcome,
}: {
  notice: TrackedNotice
  /** What has just been done. */
  done: TrackingAct | undefined
  /** What was refused. */
  outcome: { act: TrackingAct; refused: Refused } | undefined
}) {
  const { reference, kind, sentAs, decision, addresses, trail } = notice
  useEffect(() => {
    if (done !== undefined) dropDraft(draftOf(reference, done))
  }, [reference, done])
  const refusedFor = (act: TrackingAct): Refused | undefined => (outcome?.act === act ? outcome.refused : undefined)
  // What cannot be done any more has no form in which to say why.
  const hasForm: Record<TrackingAct, boolean> = {
    add: notice.mayAnswer,
    addresses: notice.mayAddAddresses,
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
        {notice.splitFrom === undefined ? null : (
          <p>
            You added these addresses later to your notice{' '}
            <Link className="text-link" to={notice.splitFrom.path}>
              {notice.splitFrom.reference}
            </Link>
            . They have their own time, and their own decision.
          </p>
        )}
        {notice.parts.map((part) => (
          <p key={part.reference}>
            We handle what you added later as notice{' '}
            <Link className="text-link" to={part.path}>
              {part.reference}
            </Link>
            .
          </p>
        ))}
      </section>
      {notice.mayAnswer ? (
        <section aria-labelledby="missing">
          <h2 id="missing">What is missing</h2>
          {notice.question === undefined ? (
            <p>The law asks for this in a notice of this kind. Add what you can now, and the rest later.</p>
          ) : (
            <p className="track-question" dir="auto">
              {notice.question}
            </p>
          )}
          <TypedForm
            draft={draftOf(reference, 'add')}
            parts={[{ title: '', fields: missingFields(notice) }]}
            hidden={{ act: 'add' }}
            typed={{}}
            refused={refusedFor('add')}
            send="Add to my notice"
          />
        </section>
      ) : null}
      {decision === undefined ? null : <Decided decision={decision} />}
      {notice.mayAppeal && decision !== undefined ? (
        <section aria-labelledby="appeal">
          <h2 id="appeal">You disagree?</h2>
          <p>
            {`Say why, until ${decision.appealUntil}. Another person looks at it where there is one, and you hear from us within 5 business days.`}
          </p>
          <TypedForm
            draft={draftOf(reference, 'appeal')}
            parts={[{ title: '', fields: [objection] }]}
            hidden={{ act: 'appeal' }}
            typed={{}}
            refused={refusedFor('appeal')}
            send="Ask for another look"
          />
        </section>
      ) : null}
      {kind === 'copyright' && decision?.outcome === 'remove' && notice.status !== 'duplicate' ? (
        <section aria-labelledby="counter">
          <h2 id="counter">For whoever published it</h2>
          <p>
            Was it removed by mistake?{' '}
            <Link className="text-link" to={`/report/counter-notice?reference=${reference}`}>
              Send a counter-notice
            </Link>
            .
          </p>
        </section>
      ) : null}
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
            <dd>{notice.receivedAt}</dd>
          </div>
          <div>
            <dt>{addresses.length === 1 ? 'Address' : 'Addresses'}</dt>
            {addresses.length === 0 ? <dd>none yet</dd> : null}
            {addresses.map((address) => (
              <dd key={address}>{address}</dd>
            ))}
          </div>
        </dl>
        {notice.mayAddAddresses ? (
          <TypedForm
            draft={draftOf(reference, 'addresses')}
            parts={[{ title: '', fields: [furtherAddresses] }]}
            hidden={{ act: 'addresses' }}
            typed={{}}
            refused={refusedFor('addresses')}
            send="Add these addresses"
          />
        ) : null}
      </section>
      <section aria-labelledby="trail">
        <h2 id="trail">How it went</h2>
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
          <form method="post" className="account-form">
            <input type="hidden" name="act" value="withdraw" />
            <p>
              We stop working on it, and what was hidden because of it comes back. It cannot be taken up again: you
              would send a new one.
            </p>
            <Checkbox name="sure" required label="I withdraw this notice." problem={refusedFor('withdraw')?.message} />
            <button type="submit" className="button">
              {`Withdraw notice ${reference}`}
            </button>
          </form>
        </details>
      ) : null}
      {notice.whyItStays === undefined ? null : <p>{whyItStays[notice.whyItStays]}</p>}
    </div>
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
          <dd>
            {found === 'some' ? `${became} Not every address of your notice leads to an entry of this site.` : became}
          </dd>
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
            <dd>the site itself, without a person</dd>
          </div>
        ) : null}
        {appeals.map(({ id, statement, at: filedAt, answer }) => (
          <Fragment key={id}>
            <div>
              <dt>{`Your objection, ${filedAt}`}</dt>
              <dd dir="auto">{statement}</dd>
            </div>
            <div>
              <dt>Our answer</dt>
              {answer === undefined ? (
                <dd>We look at it, and answer within 5 business days.</dd>
              ) : (
                <>
                  <dd>{answer.isUpheld ? 'The decision stands.' : 'We replaced that decision with a new one.'}</dd>
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
      return 'We have it, and it waits for its turn'
    case 'needs-info':
      return missing.length === 1 ? 'One thing is missing' : 'Some things are missing'
    case 'in-review':
      return 'A person looks at it'
    case 'decided':
      return 'We have decided'
    case 'closed':
      return 'Decided, and closed'
    case 'withdrawn':
      return 'Withdrawn'
    case 'duplicate':
      return 'Handled with another notice'
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
      return 'The decision and its reasons stand below.'
    case 'withdrawn':
      return 'You have withdrawn this notice. Nothing more happens.'
    case 'duplicate':
      return 'There is another notice about the same. What is decided about that one holds for this one.'
  }
}

const furtherAddresses: FormField = {
  name: 'itemUrls',
  kind: 'addresses',
  label: 'Further addresses',
  help: 'Was one mistyped or forgotten? Those that you have sent stay.',
  isRequired: true,
  ask: 'Give the address of an entry.',
}

const objection: FormField = {
  name: 'explanation',
  kind: 'text',
  label: 'Why you disagree',
  help: 'What we have overlooked or understood wrongly.',
  isRequired: true,
  ask: 'Say why you disagree.',
}

/** The fields of the missing elements alone, as the forms ask for them; none has to be filled in at once. */
function missingFields({ kind, missing }: TrackedNotice): FormField[] {
  // We may have asked for more than the law does.
  const asked = [...fieldsOf(formOfKind(kind)), ...noticeForms.flatMap(fieldsOf)]
  return missing.flatMap((name) => {
    const names = kind === 'intimate-image' && name === 'email' ? ['email', 'phone'] : [name]
    return names.flatMap((each) => {
      const field = asked.find((candidate) => candidate.name === each)
      return field === undefined ? [] : [{ ...field, isRequired: false }]
    })
  })
}

function draftOf(reference: string, act: TrackingAct): string {
  return `${reference}-${act}`
}
