/** The demo's requests and inquiries, by days before the first start. Browser-safe. */

export interface DemoRequest {
  title: string
  description: string
  daysAgo: number
  votes: number
  /** `fulfilled`: by an entry of the demo; `removed`: taken down. */
  state: 'pending' | 'approved' | 'rejected' | 'fulfilled' | 'removed'
}

/** The oldest first. */
export const demoRequests: readonly DemoRequest[] = [
  {
    title: 'Peter Pan, J. M. Barrie, 1911',
    description: 'The novel, not the play. The first edition had drawings by F. D. Bedford.',
    daysAgo: 88,
    votes: 14,
    state: 'fulfilled',
  },
  {
    title: 'Winnie-the-Pooh, A. A. Milne, 1926',
    description: 'In the public domain in the USA since 2022.',
    daysAgo: 71,
    votes: 11,
    state: 'approved',
  },
  {
    title: 'The newest bestsellers',
    description: 'Anything that came out this year.',
    daysAgo: 60,
    votes: 1,
    state: 'rejected',
  },
  {
    title: 'A Trip to the Moon, Georges Méliès, 1902',
    description: 'The hand-coloured print, if its restoration is free.',
    daysAgo: 41,
    votes: 9,
    state: 'approved',
  },
  {
    title: 'Cheap watches',
    description: 'Write to me for offers.',
    daysAgo: 30,
    votes: 1,
    state: 'removed',
  },
  {
    title: '紅樓夢 with all 120 chapters',
    description: 'The edition of Cheng and Gao of 1791.',
    daysAgo: 16,
    votes: 7,
    state: 'pending',
  },
  {
    title: 'Brehms Tierleben, second edition',
    description: 'Ten volumes with the plates, Leipzig 1876 to 1879.',
    daysAgo: 6,
    votes: 4,
    state: 'pending',
  },
  {
    title: 'The Goldberg Variations on a harpsichord',
    description: 'An openly licensed recording: the one that is here is on a piano.',
    daysAgo: 1,
    votes: 2,
    state: 'pending',
  },
]

export interface DemoInquiry {
  /** By whom: the demo's VIP, its member, or somebody without an account. */
  from: 'vip' | 'member' | { name: string; email: string }
  message: string
  daysAgo: number
  state: 'open' | 'answered' | 'closed'
  reply?: string
}

/** The oldest first. */
export const demoInquiries: readonly DemoInquiry[] = [
  {
    from: 'member',
    message: 'Can I use the texts from here in my reading group? We print about twenty copies.',
    daysAgo: 25,
    state: 'closed',
    reply: 'Yes. The rights line of each entry says what it permits. Works in the public domain may be copied freely.',
  },
  {
    from: { name: 'Clara Librarian', email: 'clara@reading-room.example' },
    message: 'Do you give memberships to public libraries? We would need three at the same time.',
    daysAgo: 9,
    state: 'answered',
    reply: 'Not yet, but one account may be signed in on several devices. Would that help you?',
  },
  {
    from: 'vip',
    message:
      'The download of The Odyssey breaks off halfway on the mirror, and the other link works. Could you have a look?',
    daysAgo: 2,
    state: 'open',
  },
  {
    from: { name: 'Peter Page', email: 'peter@page.example' },
    message: 'In Anne of Green Gables the last page comes twice.',
    daysAgo: 1,
    state: 'open',
  },
]
