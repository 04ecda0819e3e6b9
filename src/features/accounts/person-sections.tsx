import { PersonAppPasswords } from './people/parts/person-app-passwords.tsx'
import { PersonDevices } from './people/parts/person-devices.tsx'
import { PersonFactors } from './people/parts/person-factors.tsx'
import { PersonFeed } from './people/parts/person-feed.tsx'
import { PersonNote } from './people/parts/person-note.tsx'
import { PersonRole } from './people/parts/person-role.tsx'
import { PersonSessions } from './people/parts/person-sessions.tsx'
import { PersonSignIn } from './people/parts/person-sign-in.tsx'
import { PersonTrail } from './people/parts/person-trail.tsx'
import type { PersonPageContribution } from './people/person-page.ts'

export const accountsOnPersonPage: PersonPageContribution = {
  feature: 'accounts',
  sections: [
    { name: 'sign-in', order: 10, Section: PersonSignIn },
    { name: 'note', order: 30, Section: PersonNote },
    { name: 'role', order: 35, Section: PersonRole },
    { name: 'sessions', order: 40, Section: PersonSessions },
    { name: 'devices', order: 45, Section: PersonDevices },
    { name: 'app-passwords', order: 46, Section: PersonAppPasswords },
    { name: 'private-feed', order: 47, Section: PersonFeed },
    { name: 'factors', order: 48, Section: PersonFactors },
    { name: 'trail', order: 60, Section: PersonTrail },
  ],
}
