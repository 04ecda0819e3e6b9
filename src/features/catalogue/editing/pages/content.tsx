import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { dropDraft } from '../../../../browser/saved-draft.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { type ListAnswer, ListBody } from '../../../../ui/list-page/list-page.tsx'
import { useRangeSelection } from '../../../../ui/list-page/range-selection.ts'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { type ContentSection, sectionOf } from '../content-sections.ts'
import { CategoryNames, type ContentRow, type ItemForAdmin } from '../content-schema.ts'
import { maxChosen } from '../max-chosen.ts'
import { chosenIn, ContentBar } from '../parts/content-bar.tsx'
import { type ContentFilters, isFiltered, writeContentFilters } from '../parts/content-filters.ts'
import { ContentForm, type SiteOfForm } from '../parts/content-form.tsx'
import { ContentList } from '../parts/content-list.tsx'
import { ContentTools } from '../parts/content-tools.tsx'
import { rowOf } from '../parts/content-words.ts'
import { DeleteDialog } from '../parts/delete-dialog.tsx'
import { EditForm } from '../parts/edit-form.tsx'
import { EditPanel } from '../parts/edit-panel.tsx'
import { SavedNotice } from '../parts/saved-notice.tsx'
import { focusOn, newItem, useContentAddress } from '../parts/use-content-address.ts'
import { useContentList } from '../parts/use-content-list.ts'
import '../parts/content.css'

export const handle = { title: 'Content' } satisfies TitledPage

export const meta = guardedMeta

const loadFailure = 'Failed to fetch content. Please try again later.'

const elsewhere = (
  <>
    <ButtonLink label="Calendar" to="/admin/calendar" />
    <ButtonLink label="Find duplicates" to="/admin/duplicates" />
    <ButtonLink label="Manage VIP Users" to="/admin-vip-users" />
    <ButtonLink label="Statistics" to="/admin/stats" />
    <ButtonLink label="Bulk edits" to="/admin/bulk-edit" />
  </>
)

/**
 * The content of the site for administrators: the list of everything, and the form of one entry. The address holds
 * filters and form.
 */
export default function ContentRoute() {
  const site = useRouteLoaderData<SiteOfForm>('root')
  return site === undefined ? null : <Content site={site} />
}

function Content({ site }: { site: SiteOfForm }) {
  const address = useContentAddress()
  const { filters, edited, show } = address
  const { session } = useSession()
  const list = useContentList(filters)
  const { data: known } = useAdminQuery('/api/item-categories', CategoryNames)
  const categories = known?.categories ?? []
  const [deleting, setDeleting] = useState<ContentRow>()
  // It stays while filters change: entries of several lists can be edited together.
  const selection = useRangeSelection(maxChosen, chosenIn(useLocation().state))
  const [page, setPage] = useState(1)
  const { saved, made, open, close, isFreeToLeave, updateInList, showSaved, forgetSaved } = useEditedItem(list, address)
  // The rows are told apart by what they show: they keep these.
  const act = useRef({ open })
  useEffect(() => {
    act.current = { open }
  })
  const onEdit = useCallback((row: ContentRow) => act.current.open(row.id), [])

  const onFilters = (next: ContentFilters): void => {
    forgetSaved()
    window.scrollTo({ top: Math.min(window.scrollY, topOfList()) })
    show(next, edited === newItem || edited === null ? edited : null, next.section !== filters.section)
  }
  const onDeleted = ({ id }: ContentRow): void => {
    list.replace(id, undefined)
    selection.drop(id)
    if (session !== undefined) dropDraft(session.email, id)
    setDeleting(undefined)
    // The button that was pressed has gone with its entry.
    setTimeout(() => focusOn(id))
    if (edited === id) close()
  }
  const form = {
    categories,
    site,
    notice: saved === undefined ? null : <SavedNotice key={saved.version} item={saved} />,
    onSaved: showSaved,
    onRecorded: updateInList,
    onGone: (id: string) => list.replace(id, undefined),
    onClose: close,
  }

  return (
    <WorkPage
      title="Content"
      lead="All entries, newest first, whatever their status."
      actions={<AddButton isOpen={edited === newItem} onToggle={(isOpen) => (isOpen ? close() : open(newItem))} />}
      moreActions={elsewhere}
    >
      {edited === null || session === undefined ? null : edited === newItem || edited === made?.item.id ? (
        <ContentForm
          key={`${newItem} ${made?.section ?? sectionOfNew(filters)}`}
          item={made?.item}
          section={made?.section ?? sectionOfNew(filters)}
          whose={session.email}
          {...form}
        />
      ) : (
        <EditPanel key={edited} id={edited} onClose={address.closeForm}>
          <EditForm id={edited} whose={session.email} isFreeToLeave={isFreeToLeave} {...form} />
        </EditPanel>
      )}
      <ContentTools filters={filters} categories={categories} onChange={onFilters} />
      <ContentBar selection={selection} list={list} filters={filters} page={page} />
      <ListBody
        answer={answerOf(list)}
        failure="The content could not be loaded"
        shown={list.rows.length}
        {...nothingOf(filters)}
      >
        <ContentList
          key={writeContentFilters(filters)}
          list={list}
          selection={selection}
          onPage={setPage}
          onEdit={onEdit}
          onDelete={setDeleting}
        />
      </ListBody>
      {deleting === undefined ? null : (
        <DeleteDialog row={deleting} onDeleted={() => onDeleted(deleting)} onClose={() => setDeleting(undefined)} />
      )}
    </WorkPage>
  )
}

function AddButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: (isOpen: boolean) => void }) {
  return <Button look="solid" label="Add New Content" aria-expanded={isOpen} onClick={() => onToggle(isOpen)} />
}

/** Above rows that are there, the list says itself why more did not come. */
function answerOf({ isLoaded, error, isFetching, reset }: ReturnType<typeof useContentList>): ListAnswer {
  const failure = isLoaded || error === undefined ? undefined : { message: loadFailure }
  return { isHere: isLoaded, error: failure, isFetching, onRetry: reset }
}

function topOfList(): number {
  return document.querySelector('.content-tabs')?.getBoundingClientRect().top ?? 0
}

/** The section that a new entry of this tab begins in; its form may name another. */
function sectionOfNew({ section }: ContentFilters): ContentSection {
  return section === 'all' ? 'asian' : section
}

/** The entry whose form is open, from the address, and the effect of its saves on the list. */
function useEditedItem(
  list: ReturnType<typeof useContentList>,
  { filters, edited, show, openForm, closeForm }: ReturnType<typeof useContentAddress>,
) {
  const [saved, setSaved] = useState<ItemForAdmin>()
  /** The entry that the form of a new one has made: that form goes on as the entry's, and nothing moves. */
  const [made, setMade] = useState<{ item: ItemForAdmin; section: ContentSection }>()
  if (made !== undefined && edited !== made.item.id && edited !== newItem) setMade(undefined)

  /** Where the list stood. */
  const openedAt = useRef(0)
  const open = (edit: string): void => {
    openedAt.current = topOfList()
    setSaved(undefined)
    setMade(undefined)
    openForm(edit)
  }
  /** Its own buttons close a form without a question. */
  const isFreeToLeave = useRef(false)
  const close = (): void => {
    setSaved(undefined)
    isFreeToLeave.current = true
    closeForm()
    isFreeToLeave.current = false
    // Without the form above them other rows stand where its buttons were.
    if (edited === newItem || made !== undefined)
      requestAnimationFrame(() => window.scrollBy({ top: topOfList() - openedAt.current }))
  }
  const isListed = ({ contentType }: ItemForAdmin): boolean =>
    filters.section === 'all' || sectionOf(contentType) === filters.section
  const updateInList = (item: ItemForAdmin): void => list.replace(item.id, isListed(item) ? rowOf(item) : undefined)
  const showSaved = (item: ItemForAdmin, before: ItemForAdmin | undefined): void => {
    setSaved(item)
    if (before === undefined) {
      list.reset()
      setMade({ item, section: sectionOfNew(filters) })
      // On whichever tab the entry is.
      show(isListed(item) ? filters : { ...filters, section: sectionOf(item.contentType) }, item.id, false)
    } else {
      updateInList(item)
    }
  }
  return { saved, made, open, close, isFreeToLeave, updateInList, showSaved, forgetSaved: () => setSaved(undefined) }
}

function nothingOf(filters: ContentFilters): { empty: ReactNode; step: ReactNode } {
  const hasFilters = isFiltered(filters)
  const all = { search: writeContentFilters({ ...filters, search: '', category: '', status: '' }) }
  return {
    empty: (
      <>
        <strong>No content found</strong>
        {hasFilters
          ? 'Nothing matches all of these filters.'
          : 'There are no entries here yet. Start with Add New Content, or import a file.'}
      </>
    ),
    step: (
      <ButtonLink
        label={
          !hasFilters
            ? 'Import a file'
            : filters.section === 'all'
              ? 'Show all content'
              : 'Show everything in this section'
        }
        to={hasFilters ? all : '/admin/import'}
      />
    ),
  }
}
