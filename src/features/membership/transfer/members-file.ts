/** The columns of a file of members, as the export writes them. */
export const memberColumns = ['email', 'name', 'createdAt', 'vipUntil', 'isAdmin'] as const

/** The largest file that is taken: more than a million members. */
export const maxMembersFileBytes = 128 * 1024 * 1024
