import { useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { Select } from '../../../../ui/select.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { WorkFold } from '../../../../ui/work-page.tsx'
import { auditGroupNames, auditGroups } from '../audit-event.ts'

/** The parameters of the address that narrow the log. */
export const auditFilters = ['group', 'person', 'subject', 'about', 'from', 'to'] as const

const kindAndId = /^[a-z_]+:./

/** @param query the filters in force */
export function AuditFilters({
  query,
  onShow,
}: {
  query: URLSearchParams
  onShow: (change: Record<string, string>) => void
}) {
  const timeZone = useRouteLoaderData<{ timeZone: string }>('root')?.timeZone
  const [group, setGroup] = useState(query.get('group') ?? '')
  const isSet = auditFilters.some((name) => query.has(name))
  return (
    <form
      className="audit-filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const value = (name: string): string => {
          const entry = form.get(name)
          return typeof entry === 'string' ? entry : ''
        }
        const about = value('about').trim()
        const isExact = kindAndId.test(about)
        onShow({
          group,
          person: value('person'),
          subject: isExact ? about : '',
          about: isExact ? '' : about,
          from: value('from'),
          to: value('to'),
        })
      }}
    >
      <WorkFold label="Filters" isSet={isSet}>
        <Select
          name="group"
          label="Kind of action"
          value={group}
          options={[
            { value: '', label: 'All actions' },
            ...auditGroupNames.map((name) => ({ value: name, label: auditGroups[name] })),
          ]}
          onChange={setGroup}
        />
        <TextField
          name="person"
          label="Person"
          placeholder="Name or address"
          defaultValue={query.get('person') ?? ''}
          maxLength={300}
        />
        <TextField
          name="about"
          label="About"
          placeholder="Name, word or id"
          defaultValue={query.get('subject') ?? query.get('about') ?? ''}
          maxLength={300}
        />
        <TextField name="from" type="date" label="From" defaultValue={query.get('from') ?? ''} />
        <TextField name="to" type="date" label="Until" defaultValue={query.get('to') ?? ''} />
        <div className="data-actions">
          <button type="submit" className="button button-solid">
            Filter
          </button>
          {isSet ? (
            <Button
              label="Clear all"
              onClick={() => onShow(Object.fromEntries(auditFilters.map((name) => [name, ''])))}
            />
          ) : null}
        </div>
        {timeZone === undefined ? null : (
          <p className="work-aside audit-zone">{`Days and times are those of ${timeZone}.`}</p>
        )}
      </WorkFold>
    </form>
  )
}
