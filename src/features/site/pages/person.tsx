import { Link, useNavigate } from 'react-router'
import { dayInWords } from '../../../browser/format-instant.ts'
import { Moment } from '../../../browser/moment.tsx'
import { refetchAnswersUnder } from '../../../browser/queries.ts'
import { guardedMeta, type TitledPage, usePageTitle } from '../../../browser/page-title.ts'
import { Icon } from '../../../ui/icon.tsx'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { Person } from '../../accounts/people/people-schema.ts'
import { type PersonPageContribution, personPath } from '../../accounts/people/person-page.ts'
import { accountsOnPersonPage } from '../../accounts/person-sections.tsx'
import { membershipOnPersonPage } from '../../membership/person-sections.tsx'
import { siteOnPersonPage } from '../person-sections.tsx'
import type { Route } from './+types/person.ts'
import { UserText } from '../../office/parts/user-text.tsx'
import '../../accounts/people/parts/people.css'

export const handle = { title: 'A member' } satisfies TitledPage

export const meta = guardedMeta

const contributions: readonly PersonPageContribution[] = [
  accountsOnPersonPage,
  membershipOnPersonPage,
  siteOnPersonPage,
]

const sections = contributions.flatMap((feature) => feature.sections).toSorted((a, b) => a.order - b.order)

export default function PersonRoute({ params: { id } }: Route.ComponentProps) {
  // Another member is another page: nothing of one is shown for the other.
  return <Loaded key={id} id={id} />
}

function Loaded({ id }: { id: string }) {
  const query = useAdminQuery(personPath(encodeURIComponent(id)), Person)
  const { data: person, answeredAt } = query
  const navigate = useNavigate()
  usePageTitle(person?.name)
  const back = (
    <Link className="button" to="/admin/people">
      <Icon name="back" size={16} />
      Back to People
    </Link>
  )
  if (person === undefined) {
    return (
      <WorkPage title="A member" lead="The data of a member, and your tools to help them." actions={back}>
        <WorkAwaited failure="This member could not be loaded" query={query} />
      </WorkPage>
    )
  }
  return (
    <WorkPage
      title={<UserText>{person.name}</UserText>}
      lead={
        <>
          <UserText>{person.email}</UserText>
          {person.isEmailConfirmed ? '' : ' (not confirmed yet)'}, member since{' '}
          <time dateTime={person.createdAt}>{dayInWords(person.createdAt)}</time>
          {person.lastSeenAt === null ? null : (
            <>
              , last seen <Moment at={person.lastSeenAt} now={answeredAt} />
            </>
          )}
        </>
      }
      actions={back}
    >
      {sections.map(({ name, Section }) => (
        <Section
          key={name}
          person={person}
          now={answeredAt}
          onChanged={() => refetchAnswersUnder('/api/people')}
          onGone={() => {
            refetchAnswersUnder('/api/people?', '/auth/vip-')
            void navigate('/admin/people', { replace: true })
          }}
        />
      ))}
    </WorkPage>
  )
}
