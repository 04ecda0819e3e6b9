import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useRouteLoaderData } from 'react-router'
import { ApiError, noAnswer } from '../../../../browser/api-client.ts'
import { dropDraft } from '../../../../browser/saved-draft.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkEmpty, WorkPage, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { RetryButton } from '../../../../ui/retry-button.tsx'
import type { ContentType } from '../../item/content-type.ts'
import { pathOfAnyItem } from '../../item/vip-page.ts'
import { type ContentSection, endpointOf, sectionOf } from '../content-sections.ts'
import { CategoryNames, type ContentRow, ItemForAdmin } from '../content-schema.ts'
import { type ContentFilters, isFiltered, readContentFilters, writeContentFilters } from '../parts/content-filters.ts'
import { ContentForm, type SiteOfForm } from '../parts/content-form.tsx'
import { ContentList } from '../parts/content-list.tsx'
import { ContentTools } from '../parts/content-tools.tsx'
import { isScheduled, rowOf, standingInWords } from '../parts/content-words.ts'
import { savedFormOf } from '../parts/use-content-form.ts'
import { useContentList } from '../parts/use-content-list.ts'
import '../parts/content.css'

export const handle = { title: 'Content' } satisfies TitledPage

export const meta = guardedMeta

/** The form of a new item, in place of the id of one. */
const newItem = 'new'

/**
 * The content of the site for administrators: the list of everything, and the form of one entry. The address holds
 * filters and form.
 */
export default function ContentRoute() {
  const site = useRouteLoaderData<SiteOfForm>('root')
  return site === undefined ? null : <Content site={site} />
}

function Content({ site }: { site: SiteOfForm }) {
  const { search } = useLocation()
  const filters = readContentFilters(search)
  const edited = new URLSearchParams(search).get('edit')
  const navigate = useNavigate()
  const { session } = useSession()
  const list = useContentList(filters, site.clientApiKey)
  const { data: known } = useAdminQuery('/api/item-categories', CategoryNames)
  const categories = known?.categories ?? []
  const [deleting, setDeleting] = useState<ContentRow>()
  const [saved, setSaved] = useState<ItemForAdmin>()
  /** The entry that the form of a new one has made: that form goes on as the entry's, and nothing moves. */
  const [made, setMade] = useState<{ item: ItemForAdmin; section: ContentSection }>()
  if (made !== undefined && edited !== made.item.id && edited !== newItem) setMade(undefined)
  /** The scroll position of the list when the form above it was opened. */
  const leftAt = useRef<number | undefined>(undefined)

  const show = useCallback(
    (next: ContentFilters, edit: string | null, isNewEntry: boolean): void => {
      const query = writeContentFilters(next)
      const shown = [query, ...(edit === null ? [] : [`edit=${edit}`])].filter((part) => part !== '').join('&')
      void navigate({ search: shown }, { preventScrollReset: true, replace: !isNewEntry })
    },
    [navigate],
  )
  const open = (edit: string): void => {
    leftAt.current = window.scrollY
    setSaved(undefined)
    setMade(undefined)
    show(filters, edit, true)
    window.scrollTo({ top: 0 })
  }
  const close = (): void => {
    setSaved(undefined)
    show(filters, null, false)
    const top = leftAt.current
    leftAt.current = undefined
    requestAnimationFrame(() => {
      if (top !== undefined) window.scrollTo({ top })
      // The rows that stand there now are rendered with the next frame.
      requestAnimationFrame(() => focusOn(edited === newItem || edited === null ? undefined : edited))
    })
  }
  const isListed = (item: ItemForAdmin): boolean => sectionOf(item.contentType) === filters.section
  const updateInList = (item: ItemForAdmin): void => list.replace(item.id, isListed(item) ? rowOf(item) : undefined)
  const showSaved = (item: ItemForAdmin, before: ItemForAdmin | undefined): void => {
    setSaved(item)
    if (before === undefined) {
      list.reset()
      setMade({ item, section: filters.section })
      // On whichever tab the entry is.
      show({ ...filters, section: sectionOf(item.contentType) }, item.id, false)
    } else {
      updateInList(item)
    }
  }
  // The rows are told apart by what they show: they keep these.
  const act = useRef({ open })
  useEffect(() => {
    act.current = { open }
  })
  const onEdit = useCallback((row: ContentRow) => act.current.open(row.id), [])

  const form = {
    categories,
    site,
    notice: saved === undefined ? null : <SavedNotice key={saved.version} item={saved} timeZone={site.timeZone} />,
    onSaved: showSaved,
    onNoted: updateInList,
    onGone: (id: string) => list.replace(id, undefined),
    onClose: close,
  }

  return (
    <WorkPage
      title="Content"
      lead="Everything that is published, scheduled, drafted or held back, newest first."
      actions={
        <button
          type="button"
          className="button button-solid"
          aria-expanded={edited === newItem}
          onClick={() => (edited === newItem ? close() : open(newItem))}
        >
          Add New Content
        </button>
      }
      moreActions={
        <>
          <Link className="button" to="/admin-vip-users">
            Manage VIP Users
          </Link>
          <Link className="button" to="/admin/stats">
            Statistics
          </Link>
        </>
      }
    >
      {edited === null || session === undefined ? null : edited === newItem || edited === made?.item.id ? (
        <ContentForm
          key={`${newItem} ${made?.section ?? filters.section}`}
          item={made?.item}
          section={made?.section ?? filters.section}
          whose={session.email}
          {...form}
        />
      ) : (
        <EditForm key={edited} id={edited} whose={session.email} {...form} />
      )}
      <ContentTools
        filters={filters}
        categories={categories}
        onChange={(next) => {
          setSaved(undefined)
          window.scrollTo({
            top: Math.min(window.scrollY, document.querySelector('.content-tabs')?.getBoundingClientRect().top ?? 0),
          })
          show(next, edited === newItem || edited === null ? edited : null, next.section !== filters.section)
        }}
      />
      {list.isLoaded ? (
        list.rows.length === 0 ? (
          <WorkEmpty
            step={
              isFiltered(filters) ? (
                <Link
                  className="button"
                  to={{ search: writeContentFilters({ ...filters, search: '', category: '', status: '' }) }}
                >
                  Show all of this section
                </Link>
              ) : (
                <Link className="button" to="/admin/import">
                  Import a file
                </Link>
              )
            }
          >
            <strong>No content found</strong>
            <br />
            {isFiltered(filters)
              ? 'Nothing matches all of these filters.'
              : 'Nothing has been entered here yet. Begin with Add New Content, or import a file.'}
          </WorkEmpty>
        ) : (
          <ContentList
            key={writeContentFilters(filters)}
            list={list}
            timeZone={site.timeZone}
            onEdit={onEdit}
            onDelete={setDeleting}
          />
        )
      ) : list.error === undefined ? (
        <WorkWaiting />
      ) : (
        <StatePage
          drawing="blot"
          title="The content could not be loaded"
          level={2}
          steps={<RetryButton isFetching={list.isFetching} onRetry={list.reset} />}
        >
          <p>Failed to fetch content. Please try again later.</p>
        </StatePage>
      )}
      {deleting === undefined ? null : (
        <ConfirmDialog
          title="Delete this entry"
          label="Delete"
          labelWhileSending="Deleting..."
          isGrave
          otherwise="Failed to delete content. Please try again."
          saysBoth
          act={async () => {
            const path = `${endpointOf(sectionOf(deleting.contentType))}/${deleting.id}`
            await requestAsAdmin(path, noAnswer, { method: 'DELETE', clientKey: site.clientApiKey }).catch(
              async (error: unknown) => {
                if (!isNotFound(error) || !(await isDeleted(deleting.id))) throw error
              },
            )
            list.replace(deleting.id, undefined)
            if (session !== undefined) dropDraft(session.email, deleting.id)
            setDeleting(undefined)
            // The button that was pressed has gone with its entry.
            setTimeout(() => focusOn(deleting.id))
            if (edited === deleting.id) close()
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>Are you sure you want to delete this content?</p>
          <p>
            <bdi>{deleting.name}</bdi>
          </p>
        </ConfirmDialog>
      )}
    </WorkPage>
  )
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether somebody else was first. An entry that was moved to another section is not found in its own either. */
async function isDeleted(id: string): Promise<boolean> {
  try {
    await requestAsAdmin(`/api/items/${id}`, ItemForAdmin)
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}

/** The focus goes back to where the form of an entry was opened, or to the list. */
function focusOn(id: string | undefined): void {
  if (document.activeElement !== document.body) return
  const opener = id === undefined ? '.work-actions .button' : `[data-edit="${CSS.escape(id)}"]`
  const target = document.querySelector<HTMLElement>(opener) ?? document.querySelector<HTMLElement>('.content-list')
  target?.focus({ preventScroll: true })
}

function SavedNotice({ item, timeZone }: { item: ItemForAdmin; timeZone: string }) {
  const [now] = useState(() => Date.now())
  const isLive = item.status === 'published' && !isScheduled(item, now)
  return (
    <Notice tone="done">
      {item.status === 'draft'
        ? 'Saved as a draft.'
        : isLive
          ? 'Saved and published.'
          : `Saved. ${standingInWords(item, now, timeZone)}.`}{' '}
      {isLive ? (
        <Link className="text-link" to={pathOfAnyItem(item)}>
          See it on the site
        </Link>
      ) : null}
    </Notice>
  )
}

/** The form of an entry, once it is there as it is now. */
function EditForm({
  id,
  ...form
}: { id: string } & Omit<Parameters<typeof ContentForm>[0], 'item' | 'goneId' | 'section'>) {
  const {
    data: item,
    error,
    isFetching,
    refetch,
  } = useAdminQuery(`/api/items/${encodeURIComponent(id)}`, ItemForAdmin, {
    isForgotten: true,
  })
  const { whose } = form
  const [kept] = useState(() => savedFormOf(whose, id)?.values)
  if (item !== undefined) return <ContentForm {...form} item={item} section={sectionOf(item.contentType)} />
  if (error === undefined) return <WorkWaiting />
  if (error.status === 404 && kept !== undefined) {
    // A kept type is one of the form's own choices.
    const section = sectionOf(kept.contentType as ContentType)
    return <ContentForm {...form} item={undefined} goneId={id} section={section} />
  }
  return (
    <StatePage
      drawing="blot"
      title="The entry could not be loaded"
      level={2}
      steps={
        error.status === 404 ? (
          <button type="button" className="button" onClick={form.onClose}>
            Close
          </button>
        ) : (
          <RetryButton isFetching={isFetching} onRetry={refetch} />
        )
      }
    >
      <p>{error.message}</p>
    </StatePage>
  )
}
