import { listPeople } from '../../accounts/people/list-people.server.ts'
import { findItems } from '../../catalogue/editing/find-items.server.ts'
import { statusNames } from '../../catalogue/editing/parts/content-words.ts'
import { findNotices } from '../../notices/desk/list-notices.server.ts'
import { kindLabels, statusLabels } from '../../notices/notice/notice-kinds.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import type { AdminSearch } from './admin-search-schema.ts'

const shown = 6

type Results = AdminSearch['groups'][number]['results']

export async function searchAdministration(app: SiteApp, viewer: Viewer, typed: string): Promise<AdminSearch> {
  const text = typed.trim()
  if (text === '') return { groups: [] }
  const [entries, members, notices] = await Promise.all([
    searchEntries(app, text),
    searchMembers(app, text),
    searchNotices(app, viewer, text),
  ])
  const groups = [
    { name: 'Entries', results: entries },
    { name: 'Members', results: members },
    { name: 'Notices', results: notices },
    { name: 'Settings', results: searchSettings(app, text) },
  ]
  return { groups: groups.filter(({ results }) => results.length > 0) }
}

async function searchEntries(app: SiteApp, text: string): Promise<Results> {
  return (await findItems(app, text, shown)).map(({ id, name, status, creators }) => ({
    title: name,
    facts: [...(creators ?? []).slice(0, 2), statusNames[status]].join(' · '),
    to: `/admin/settings?edit=${id}`,
  }))
}

async function searchMembers(app: SiteApp, search: string): Promise<Results> {
  const { people } = await listPeople(app, {
    search,
    role: 'all',
    state: 'all',
    sort: 'seen',
    page: 1,
    limit: shown,
  })
  return people.map(({ id, name, email }) => ({
    title: name === '' ? email : name,
    facts: name === '' ? '' : email,
    to: `/admin/people/${id}`,
  }))
}

async function searchNotices(app: SiteApp, viewer: Viewer, text: string): Promise<Results> {
  return (await findNotices(app, viewer, text, shown)).map(({ reference, kind, status, item }) => ({
    title: reference,
    facts: [kindLabels[kind], statusLabels[status], ...(item === null ? [] : [item.name])].join(' · '),
    to: `/admin/notices/${reference}`,
  }))
}

/** Settings of the operator by their names, and texts of the site by their labels. */
function searchSettings({ config, texts }: SiteApp, text: string): Results {
  const words = text
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const hasAll = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word))
  return [
    ...texts.declared
      .filter(({ label }) => hasAll(label))
      .map(({ label }) => ({ title: label, facts: 'A text of the site', to: '/admin/texts' })),
    ...config.settings
      .filter(({ name }) => hasAll(name))
      .map(({ name, value }) => ({
        title: name,
        facts: value === '' ? 'unset' : value,
        to: `/admin/configuration#${name}`,
      })),
  ].slice(0, shown)
}
