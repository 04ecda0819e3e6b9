import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { type ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { type FirstStep, longestNote } from '../../home/admin-home-schema.ts'

const pathOf = ({ name }: FirstStep): string => `/api/admin/first-steps/${name}/skipped`

/** The first steps of a new site in one line, with the next one open. */
export function FirstSteps({ steps, onChanged }: { steps: readonly FirstStep[]; onChanged: () => void }) {
  const [areShown, setAreShown] = useState(false)
  const [asked, setAsked] = useState<FirstStep>()
  const [failure, setFailure] = useState<string>()
  const resume = useApiMutation<undefined, FirstStep>({
    mutationFn: (step) => request(pathOf(step), noAnswer, { method: 'DELETE' }),
    onSuccess() {
      setFailure(undefined)
      onChanged()
    },
    onError(error: ApiError) {
      recheckAccess(error)
      setFailure(error.message)
    },
  })
  const next = steps.find(({ isDone, skippedFor }) => !isDone && skippedFor === null)
  return (
    <section className="home-steps" aria-labelledby="home-steps">
      <div className="home-steps-line">
        <h2 id="home-steps">First steps</h2>
        <p className="home-steps-next">
          {standingOf(steps)}
          {next === undefined ? null : (
            <>
              {' Next: '}
              <b>{next.title}</b>
            </>
          )}
        </p>
        <div className="home-steps-acts">
          {next === undefined || next.to === null ? null : <ButtonLink look="quiet" label="Open" to={next.to} />}
          {next === undefined ? null : <Button look="quiet" label="Skip" onClick={() => setAsked(next)} />}
          <Button
            look="quiet"
            label={areShown ? 'Show less' : 'Show all'}
            aria-expanded={areShown}
            aria-controls="home-steps-all"
            onClick={() => setAreShown(!areShown)}
          />
        </div>
      </div>
      {next === undefined || areShown ? null : <p className="work-aside">{next.help}</p>}
      <Announced>{failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}</Announced>
      <ol id="home-steps-all" hidden={!areShown}>
        {steps.map((step) => (
          <Step
            key={step.name}
            step={step}
            isBusy={resume.isPending}
            onSkip={() => setAsked(step)}
            onResume={() => resume.mutate(step)}
          />
        ))}
      </ol>
      {asked === undefined ? null : (
        <SkipDialog
          step={asked}
          onDone={() => {
            setAsked(undefined)
            onChanged()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

/** '6 of 8 done, 1 skipped.' */
function standingOf(steps: readonly FirstStep[]): string {
  const done = steps.filter(({ isDone }) => isDone).length
  const skipped = steps.filter(({ isDone, skippedFor }) => !isDone && skippedFor !== null).length
  if (done === steps.length) return 'All done.'
  return `${done} of ${steps.length} done${skipped === 0 ? '' : `, ${skipped} skipped`}.`
}

function Step({
  step,
  isBusy,
  onSkip,
  onResume,
}: {
  step: FirstStep
  isBusy: boolean
  onSkip: () => void
  onResume: () => void
}) {
  const { title, isDone, help, to, skippedFor } = step
  const isSkipped = !isDone && skippedFor !== null
  return (
    <li className={isDone ? 'home-step is-done' : 'home-step'}>
      <span className="home-mark">{isDone ? <Icon name="check" size={16} /> : null}</span>
      <div className="home-what">
        <p>
          {to === null ? (
            title
          ) : (
            <Link className="work-link" to={to}>
              {title}
            </Link>
          )}
          <span className="sr-only">{isDone ? ' (done)' : isSkipped ? ' (skipped)' : ' (not done yet)'}</span>
        </p>
        <p className="work-aside">{isSkipped ? `Skipped: ${skippedFor}` : help}</p>
      </div>
      {isDone ? null : (
        <Button
          look="quiet"
          label={isSkipped ? 'Take back' : 'Skip'}
          isBusy={isSkipped && isBusy}
          aria-label={`${isSkipped ? 'Take back' : 'Skip'}: ${title}`}
          onClick={isSkipped ? onResume : onSkip}
        />
      )}
    </li>
  )
}

const Note = z.object({ note: writtenText('Please say why.', longestNote) })

function SkipDialog({ step, onDone, onClose }: { step: FirstStep; onDone: () => void; onClose: () => void }) {
  const form = useApiForm({
    defaults: { note: '' },
    schema: Note,
    async send(body) {
      await request(pathOf(step), noAnswer, { method: 'PUT', body })
      onDone()
    },
    otherwise: 'The step could not be skipped.',
  })
  return (
    <ActDialog
      title={`Skip “${step.title}”?`}
      form={form}
      label="Skip"
      labelWhileSending="Skipping..."
      onClose={onClose}
    >
      <TextField
        {...form.field('note')}
        label="Why"
        maxLength={longestNote}
        autoComplete="off"
        help="All administrators read this note. You can take the step back at any time."
      />
    </ActDialog>
  )
}
