import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { TextLink } from '../../../ui/button.tsx'
import { request, usualSentence } from '../../../browser/api-client.ts'
import { fetches, useApiQuery } from '../../../browser/queries.ts'
import { Form } from '../../../ui/form/form.tsx'
import { TextArea, TextField } from '../../../ui/text-field.tsx'
import { draftAt, useApiForm } from '../../office/browser/api-form.ts'
import {
  maxDescription,
  maxTitle,
  type RequestForMember,
  RequestForMember as RequestAnswer,
  SimilarToTitle,
} from '../content-requests/request-schema.ts'
import { RequestList } from './request-list.tsx'
import { requestsPath } from './request-paths.ts'
import { countsInWords, VoteButton } from './vote-button.tsx'

/** After the last key. */
const waitMs = 300
const shortestTitle = 3
/** More of a title is not compared. */
const longestLook = 200

const atMost = (field: string, max: number) =>
  z.refine<string>((text) => tooLong(field, text, max) === undefined, {
    error: ({ input }) => tooLong(field, String(input), max),
  })
const Wish = z.object({
  title: z.string().check(
    z.refine((title) => title.trim() !== '', 'Title is required'),
    atMost('title', maxTitle),
  ),
  description: z.string().check(atMost('description', maxDescription)),
})

/** A member's new request. Entries and similar open requests appear while the title is typed: one of them may be it. */
export function RequestForm({
  firstTitle,
  whose,
  onChanged,
}: {
  firstTitle: string
  /** The email of the member, the key of their draft. */
  whose: string
  onChanged: () => void
}) {
  const [done, setDone] = useState<ReactNode>()
  const form = useApiForm({
    defaults: { title: firstTitle, description: '' },
    schema: Wish,
    async send(body) {
      setDone(undefined)
      const made = await request(requestsPath, RequestAnswer, { method: 'POST', body })
      setDone(madeInWords(made))
      form.reset({ title: '', description: '' })
      onChanged()
    },
    otherwise: usualSentence,
    // A link that brings a title of its own begins a draft of its own.
    draft: draftAt(whose, `request ${firstTitle}`),
  })
  const { title } = form.values
  const field = form.field('title')
  return (
    <Form form={form} act={{ label: 'Send request', labelWhileSending: 'Sending...', done }} className="requests-form">
      <TextField
        {...field}
        label="Title"
        dir="auto"
        required
        autoComplete="off"
        problem={tooLong('title', title, maxTitle) ?? field.problem}
      />
      <Similar
        title={title}
        onVoted={(voted) => {
          setDone(voted.hasVoted ? `You have voted for "${voted.title}".${countsInWords(voted)}` : undefined)
          onChanged()
        }}
      />
      <TextArea
        {...form.field('description')}
        label="Description"
        dir="auto"
        help="Who made it, when, in which language: whatever helps to find it."
      />
    </Form>
  )
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
        <TextLink to={item.path}>{item.name}</TextLink>
      </>
    )
  }
  if (isOwn && votes <= 1) return `Your request was sent. We will email you once you can open it.${countsInWords(made)}`
  return counts
    ? `Others want it too: your vote for "${title}" was counted.`
    : `Others want it too: you have voted for "${title}".${countsInWords(made)}`
}

/** Entries and open requests like what has been typed, once the typing pauses. */
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
      SimilarToTitle,
    ),
    isEnabled: isAsked,
    keepsPrevious: true,
    isForgotten: true,
  })
  const { requests, items } = isAsked && title.trim() !== '' && data !== undefined ? data : { requests: [], items: [] }
  return (
    <div role="status">
      {items.length === 0 ? null : (
        <section className="requests-similar" aria-labelledby={`${id}-items`}>
          <h2 id={`${id}-items`} className="work-aside">
            Is it here already?
          </h2>
          <ul>
            {items.map(({ name, path, creators }) => (
              <li key={path}>
                <Link className="entry-link" to={path}>
                  <bdi className="text-link">{name}</bdi>
                  {creators === undefined ? null : <small>{creators}</small>}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
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
