/** The columns of a file of members, as the export writes them. */
export const memberColumns = ['email', 'name', 'createdAt', 'vipUntil', 'isAdmin'] as const

/** The largest file that is taken: more than a million members. */
export const maxMembersFileBytes = 128 * 1024 * 1024

/** In which a file of members is read and written. */
export const membersFileFormats = ['csv', 'jsonl'] as const
export type MembersFileFormat = (typeof membersFileFormats)[number]

export const membersFileTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} satisfies Record<MembersFileFormat, string>
