import { ButtonLink } from '../../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { counted } from '../../../../platform/counted.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkEmpty, WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { statusNames } from '../../editing/parts/content-words.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { typeNames } from '../../item/field-lines.ts'
import { siteInWords } from '../../item/host-in-words.ts'
import { Duplicates } from '../overviews-schema.ts'
import '../parts/duplicates.css'

export const handle = { title: 'Duplicates' } satisfies TitledPage

export const meta = guardedMeta

export default function DuplicatesRoute() {
  const query = useAdminQuery('/api/duplicates', Duplicates)
  const { data } = query
  return (
    <WorkPage
      title="Duplicates"
      lead="Entries with the same title and creators, and published entries that share a link. Open them, and keep the one you want."
      actions={
        data === undefined || data.groups.length === 0 ? undefined : (
          <ButtonLink label="Show the list" to="/admin/settings" />
        )
      }
    >
      {data === undefined ? (
        <WorkAwaited failure="The duplicates could not be loaded" query={query} />
      ) : data.groups.length === 0 ? (
        <WorkEmpty step={<ButtonLink label="Open the content" to="/admin/settings" />}>
          No entry seems to be listed twice.
        </WorkEmpty>
      ) : (
        <>
          <p className="work-aside">
            {data.isCut
              ? `The first ${counted(data.groups.length, 'group', 'groups')}.`
              : counted(data.groups.length, 'group', 'groups')}
          </p>
          {data.groups.map((group) => (
            <Group key={`${group.same} ${group.text} ${group.entries[0]?.id}`} group={group} />
          ))}
        </>
      )}
    </WorkPage>
  )
}

function Group({ group: { same, text, entries } }: { group: Duplicates['groups'][number] }) {
  const [first] = entries
  // Said once, above them, where it is the same.
  const isNamed = entries.some(({ name }) => name !== text)
  const creators = first?.creators.join('; ') ?? ''
  return (
    <section className="duplicates-group">
      <h2>
        {same === 'title' ? (
          <>
            <bdi>{text}</bdi>
            {creators === '' ? null : <span className="duplicates-by">{creators}</span>}
          </>
        ) : (
          <>
            One link at {siteInWords(text)}
            <span className="duplicates-by">{text}</span>
          </>
        )}
      </h2>
      <DataTable
        label={same === 'title' ? `Entries with the title ${text}` : `Entries with the link ${text}`}
        heads={[...(isNamed ? ['Entry'] : []), 'Status', 'Category', 'Posted', 'Actions']}
      >
        {entries.map(({ id, name, status, category, contentType, postDate }) => (
          <tr key={id}>
            {isNamed ? (
              <td>
                <bdi>{name}</bdi>
              </td>
            ) : null}
            <td>{statusNames[status]}</td>
            <td>{`${category} · ${typeNames[contentType]}`}</td>
            <td>
              <time dateTime={postDate}>{dayInWords(postDate)}</time>
            </td>
            <td>
              <ButtonLink label="Open" about={`: ${name}, ${statusNames[status]}`} to={`/admin/settings?edit=${id}`} />
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  )
}
