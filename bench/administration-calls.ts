import type { Call } from './calls.ts'

const columnsOfList = `
  i.id, i.no, i.status, i.restriction, i.version, i.created_at, i.updated_at, i.rights_revoked_at, i.name, i.slug,
  c.name as category, i.content_type, i.region, i.post_date, i.link, i.link2, i.link_g, i.link_p, i.link_mv1, i.link_mv2,
  i.link_mv3, i.link_mv4, i.rating, i.rights_basis, i.rights_holder, i.rights_licence, i.rights_evidence,
  i.permits_download, i.permits_paid_access, i.rights_valid_from, i.rights_valid_until, i.people, i.external_id, i.lapses_at`

/** 900 whole items, as the list of them is read by whoever edits them. */
const items = (where: string, paging = '', order = 'i.post_date desc, i.no desc'): string => `
  select ${columnsOfList} from items i join categories c on c.id = i.category_id
   where ${where} order by ${order} limit 900 ${paging}`

const ofSection = (section: string): string => `section_of(i.content_type) = '${section}'`

/** The administrators' list of items, 900 at a time: first and far pages of each tab, filters, common and rare words. */
export const contentCalls: Call[] = [
  { name: 'content, all, first page', path: '/allcontent', raw: items('true') },
  { name: 'content, all, page 90', path: '/allcontent?page=90', raw: items('true', 'offset 80100') },
  {
    name: 'content, all, drafts, of which there are none',
    path: '/allcontent?status=draft',
    raw: items(`i.status = 'draft'`),
  },
  {
    name: 'content, all, search for a common word',
    path: '/allcontent?search=winter',
    raw: items(`i.searched like '%winter%'`),
  },
  {
    name: 'content, all, search for a very common word',
    path: '/allcontent?search=the',
    raw: items(`i.searched like '%the%'`),
  },
  { name: 'content, first page', path: '/asiancontent', raw: items(ofSection('asian')) },
  { name: 'content, page 20', path: '/asiancontent?page=20', raw: items(ofSection('asian'), 'offset 17100') },
  { name: 'content, page 40', path: '/asiancontent?page=40', raw: items(ofSection('asian'), 'offset 35100') },
  {
    name: 'content, oldest first, page 30',
    path: '/westerncontent?sortOrder=ASC&page=30',
    raw: items(ofSection('western'), 'offset 26100', 'i.post_date, i.no'),
  },
  { name: 'content, VIP, page 9', path: '/vipcontent?page=9', raw: items(ofSection('vip'), 'offset 7200') },
  {
    name: 'content, of a category',
    path: '/westerncontent?category=film',
    raw: items(`${ofSection('western')} and c.name_folded = 'film'`),
  },
  {
    name: 'content, published ones',
    path: '/bannedcontent?status=published',
    raw: items(`${ofSection('banned')} and i.status = 'published'`),
  },
  {
    name: 'content, drafts, of which there are none',
    path: '/asiancontent?status=draft',
    raw: items(`${ofSection('asian')} and i.status = 'draft'`),
  },
  {
    name: 'content, search for a very common word',
    path: '/asiancontent?search=the',
    raw: items(`${ofSection('asian')} and i.searched like '%the%'`),
  },
  {
    name: 'content, search for a common word',
    path: '/asiancontent?search=winter',
    raw: items(`${ofSection('asian')} and i.searched like '%winter%'`),
  },
  {
    name: 'content, search for two words',
    path: '/westerncontent?search=harbour%20of',
    raw: items(`${ofSection('western')} and i.searched like '%harbour%' and i.searched like '%of%'`),
  },
  {
    name: 'content, search for two letters',
    path: '/asiancontent?search=qu',
    raw: items(`${ofSection('asian')} and i.searched like '%qu%'`),
  },
  {
    name: 'content, search for what no name has',
    path: '/asiancontent?search=zqxwv',
    raw: items(`${ofSection('asian')} and i.searched like '%zqxwv%'`),
  },
]

const vips = (and: string, paging: string): string => `
  select u.id, u.name, u.email, a.ends_at from member_access a join users u on u.id = a.user_id
   where a.starts_at <= now() and a.next_starts_at > now() and not a.is_disabled and ${and}
   order by a.effective_until desc, a.user_id desc ${paging}`

/** The lists of members, of whom four of five are or were VIPs. */
export const peopleCalls: Call[] = [
  {
    name: 'VIP users, first page',
    path: '/auth/vip-users?page=1&limit=50',
    raw: vips('a.effective_until is not null', 'limit 50'),
  },
  {
    name: 'VIP users, page in the middle',
    path: '/auth/vip-users?page=600&limit=50',
    raw: vips('a.effective_until is not null', 'limit 50 offset 29950'),
  },
  {
    name: 'VIP users, expired ones',
    path: '/auth/vip-users?page=1&limit=50&filter=expired',
    raw: vips('a.effective_until <= now()', 'limit 50'),
  },
  {
    name: 'VIP users, a page of 1,000',
    path: '/auth/vip-users?page=2&limit=1000',
    raw: vips('a.effective_until is not null', 'limit 1000 offset 1000'),
  },
  {
    name: 'VIP users, search for one name',
    path: '/auth/vip-users?page=1&limit=50&search=clara%20777',
    raw: `select u.id, u.name, u.email from users u where name like 'Clara%777%' order by id desc limit 50`,
  },
  {
    name: 'VIP users, search that nearly all match',
    path: '/auth/vip-users?page=1&limit=50&search=readers.example',
    raw: `select u.id, u.name, u.email from users u where email like '%readers.example%' order by id desc limit 50`,
  },
  {
    name: 'VIP users, search among the expired ones',
    path: '/auth/vip-users?page=1&limit=50&filter=expired&search=wells',
    raw: `select u.id, u.name, u.email from users u join member_access a on a.user_id = u.id
           where u.name like '%Wells%' and a.effective_until <= now() order by u.id desc limit 50`,
  },
  {
    name: 'disabled users, first page',
    path: '/auth/vip-disabled-users?page=1&limit=50',
    raw: `select u.id, u.name, u.email, a.ends_at from member_access a join users u on u.id = a.user_id
           where a.is_disabled and a.starts_at <= now() and a.next_starts_at > now()
           order by a.effective_until desc nulls last limit 50`,
  },
  {
    name: 'disabled users by name',
    path: '/auth/vip-disabled-users?page=2&limit=50&sort=name',
    raw: `select id, name, email from users where vip_disabled order by name limit 50 offset 50`,
  },
  {
    name: 'disabled users, search for one name',
    path: '/auth/vip-disabled-users?page=1&limit=50&search=wells',
    raw: `select id, name, email from users where vip_disabled and name like '%Wells%' order by name limit 50`,
  },
  {
    name: 'people, first page',
    path: '/api/people',
    raw: `select id, name, email, created_at from users order by created_at desc, id desc limit 50`,
  },
  {
    name: 'people, last page by last seen',
    path: '/api/people?page=2000&sort=seen',
    raw: `select id, name, email, created_at from users order by last_seen_at desc nulls last, id desc limit 50 offset 99950`,
  },
  {
    name: 'people, search for one name',
    path: '/api/people?search=wells%204242',
    raw: `select id, name, email, created_at from users where name like '%Wells%4242%' order by created_at desc limit 50`,
  },
  {
    name: 'people, search for a part of many names',
    path: '/api/people?search=wells',
    raw: `select id, name, email, created_at from users where name like '%Wells%' order by created_at desc limit 50`,
  },
  {
    name: 'people, search that nearly all match',
    path: '/api/people?search=readers.example&page=1000',
    raw: `select id, name, email, created_at from users where email like '%readers.example%' order by created_at desc limit 50 offset 49950`,
  },
  {
    name: 'people, search for what nobody has',
    path: '/api/people?search=zqxwv',
    raw: `select id, name, email, created_at from users where name like '%zqxwv%' order by created_at desc limit 50`,
  },
  {
    name: 'people, invited ones',
    path: '/api/people?state=invited',
    raw: `select id, name, email, created_at from users where password_hash is null order by created_at desc limit 50`,
  },
  {
    name: 'members on the screen of billing',
    path: '/api/billing/members?search=wells%204242',
    raw: `select id, name, email from users where name like '%Wells%4242%' limit 20`,
  },
]

const newestEvents = (where: string): string =>
  `select * from audit_events where ${where} order by recorded_at desc, id desc limit 51`

/** Home, statistics, audit log and the other screens that are opened for the whole site. */
export const siteCalls = ({ memberId, itemId }: { memberId: string; itemId: string }): Call[] => [
  { name: 'home', path: '/api/admin/home' },
  { name: 'what waits, on every screen', path: '/api/admin/waiting' },
  {
    name: 'statistics, cards',
    path: '/api/stats',
    raw: `select (select count(*) from users), (select count(*) from users where created_at > now() - interval '30 days'),
                 (select count(distinct user_id) from access_grants where revoked_at is null and starts_at <= now()
                     and effective_until > now())`,
  },
  ...['30d', '90d', '12m', 'all'].map((range) => ({
    name: `statistics, report of ${range}`,
    path: `/api/stats/report?range=${range}`,
  })),
  { name: 'audit log', path: '/api/audit', raw: newestEvents('true') },
  {
    name: 'audit log, a common group',
    path: '/api/audit?group=accounts',
    raw: newestEvents(`action like 'account.%'`),
  },
  { name: 'audit log, a rare group', path: '/api/audit?group=settings', raw: newestEvents(`action like 'setting.%'`) },
  {
    name: 'audit log, of a member',
    path: `/api/audit?person=${memberId}`,
    raw: newestEvents(`actor_id = '${memberId}'`),
  },
  {
    name: 'audit log, until a day',
    path: '/api/audit?to=2026-06-01&group=sign-ins',
    raw: newestEvents(`action like 'session.%' and recorded_at < '2026-06-02'`),
  },
  {
    name: 'a member',
    path: `/api/people/${memberId}`,
    raw: `select * from users left join sessions on user_id = users.id where users.id = '${memberId}'`,
  },
  { name: 'why a member is VIP', path: `/api/people/${memberId}/access` },
  { name: "a member's trail", path: `/api/people/${memberId}/trail`, raw: newestEvents(`actor_id = '${memberId}'`) },
  {
    name: 'categories',
    path: '/api/categories',
    raw: `select c.id, c.name, count(i.no), count(i.no) filter (where status = 'published')
            from categories c left join items i on i.category_id = c.id group by c.id`,
  },
  { name: 'an item in the form', path: `/api/items/${itemId}`, raw: `select * from items where id = '${itemId}'` },
  { name: 'links', path: '/api/links' },
  { name: 'rights', path: '/api/rights' },
  { name: 'gateway', path: '/api/gateway/report' },
  { name: 'imports', path: '/api/imports', raw: 'select * from imports limit 50' },
  { name: 'bulk edits', path: '/api/bulk-edits', raw: 'select * from bulk_edits limit 20' },
  { name: 'imports of members', path: '/api/member-imports', raw: 'select * from member_imports limit 20' },
  { name: 'site texts', path: '/api/texts' },
  { name: 'billing, differences', path: '/api/billing/drift' },
]
