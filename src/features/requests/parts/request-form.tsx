import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link } from 'react-router'
import { ApiError, NetworkError, request } from '../../../browser/api-client.ts'
import { dropDraft, saveDraft, readDraft } from '../../../browser/saved-draft.ts'
import { fetches, useApiQuery } from '../../../browser/queries.ts'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { TextArea, TextField } from '../../../ui/text-field.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../office/parts/use-submission.ts'
import {
  maxDescription,
  maxTitle,
  type RequestForMember,
  RequestForMember as RequestAnswer,
  RequestsForMember,
} from '../content-requests/request-schema.ts'
import { RequestList } from './request-list.tsx'
import { requestsPath } from './request-paths.ts'
import { countsInWords, VoteButton } from './vote-button.tsx'

/** After the last key. */
const waitMs = 300
const shortestTitle = 3
/** More of a title is not compared. */
const longestLook = 200

/** A member's new request. Similar open requests appear while the title is typed: one of them may be it. */
export function RequestForm({
  firstTitle,
  whose,
  onChanged,
}: {
  firstTitle: string
  /** The email of the member, whose draft is kept apart. */
  whose: string
  onChanged: () => void
}) {
  // A link that brings a title of its own begins a draft of its own.
  const form = `request ${firstTitle}`
  const [kept] = useState(() => readTyped(readDraft(whose, form)))
  const [title, setTitle] = useState(kept?.title ?? firstTitle)
  const [description, setDescription] = useState(kept?.description ?? '')
  const [done, setDone] = useState<ReactNode>()
  useEffect(() => {
    if (description === '' && (title === '' || title === firstTitle)) dropDraft(whose, form)
    else saveDraft(whose, form, { title, description })
  }, [whose, form, firstTitle, title, description])
  const submission = useSubmission({
    check(values) {
      setDone(undefined)
      if (textOf(values, 'title').trim() === '') return { message: 'Title is required', field: 'title' }
      const message = tooLong('title', textOf(values, 'title'), maxTitle)
      if (message !== undefined) return { message, field: 'title' }
      const tooMuch = tooLong('description', textOf(values, 'description'), maxDescription)
      return tooMuch === undefined ? undefined : { message: tooMuch, field: 'description' }
    },
    async send(values) {
      try {
        const made = await request(requestsPath, RequestAnswer, {
          method: 'POST',
          body: { title: textOf(values, 'title'), description: textOf(values, 'description') },
        })
        setDone(madeInWords(made))
      } catch (error) {
        if (error instanceof NetworkError || !(error instanceof ApiError)) throw error
        return refusalIn(error, error.message)
      }
      setTitle('')
      setDescription('')
      onChanged()
      return undefined
    },
    unreachable: networkRefusal,
  })
  return (
    <form
      className="requests-form"
      method="post"
      noValidate
      onSubmit={submission.onSubmit}
      onInput={submission.onInput}
    >
      <TextField
        label="Title"
        name="title"
        dir="auto"
        required
        autoComplete="off"
        value={title}
        problem={tooLong('title', title, maxTitle) ?? submission.errorOf('title')}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <Similar
        title={title}
        onVoted={(voted) => {
          setDone(voted.hasVoted ? `You have voted for "${voted.title}".${countsInWords(voted)}` : undefined)
          onChanged()
        }}
      />
      <TextArea
        label="Description"
        name="description"
        dir="auto"
        help="Who made it, when, in which language: whatever helps to find it."
        value={description}
        problem={submission.errorOf('description')}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Announced>
        {submission.refusal === undefined ? null : <Notice tone="failed">{submission.refusal.message}</Notice>}
        {done === undefined ? null : <Notice tone="done">{done}</Notice>}
      </Announced>
      <p>
        <button type="submit" className="button button-solid" aria-disabled={submission.isSending}>
          {submission.isSending ? 'Sending...' : 'Send request'}
        </button>
      </p>
    </form>
  )
}

function readTyped(kept: unknown): { title: string; description: string } | undefined {
  const { title, description } = (kept ?? {}) as Record<string, unknown>
  return typeof title === 'string' && typeof description === 'string' ? { title, description } : undefined
}

/** Pasted text is never cut: the sentence says how much is too much. */
function tooLong(field: string, text: string, max: number): string | undefined {
  const length = [...text.trim()].length
  if (length <= max) return undefined
  const [most, now] = [max.toLocaleString('en-US'), length.toLocaleString('en-US')]
  return `The ${field} has at most ${most} characters. It has ${now} now.`
}

function madeInWords(made: RequestForMember): ReactNode {
  const { title, votes, isOwn, counts, item } = made
  if (item !== null) {
    return (
      <>
        {`"${title}" is in the library: `}
        <Link className="text-link" to={item.path}>
          {item.name}
        </Link>
      </>
    )
  }
  if (isOwn && votes <= 1) return `Your request was sent. We mail you once you can open it.${countsInWords(made)}`
  return counts
    ? `Others want it too: your vote for "${title}" was counted.`
    : `Others want it too: you have voted for "${title}".${countsInWords(made)}`
}

/** Open requests like what has been typed, once the typing pauses. */
function Similar({ title, onVoted }: { title: string; onVoted: (voted: RequestForMember) => void }) {
  const id = useId()
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(title.trim()), waitMs)
    return () => clearTimeout(timer)
  }, [title])
  const isAsked = settled.length >= shortestTitle
  const { data, refetch } = useApiQuery({
    ...fetches(
      `${requestsPath}/similar?${new URLSearchParams({ title: settled.slice(0, longestLook) }).toString()}`,
      RequestsForMember,
    ),
    isEnabled: isAsked,
    keepsPrevious: true,
    isForgotten: true,
  })
  const requests = isAsked && title.trim() !== '' ? (data?.requests ?? []) : []
  return (
    <div role="status">
      {requests.length === 0 ? null : (
        <section className="requests-similar" aria-labelledby={id}>
          <h2 id={id} className="work-aside">
            Has somebody already asked for this?
          </h2>
          <RequestList
            requests={requests}
            renderAction={(wanted) => (
              <VoteButton
                wanted={wanted}
                label="Vote for this one"
                onChanged={(voted) => {
                  refetch()
                  onVoted(voted)
                }}
              />
            )}
          />
        </section>
      )}
    </div>
  )
}
