import { UserText } from '../../../office/parts/user-text.tsx'
import { type PersonPageProps, personPath } from '../person-page.ts'
import { RevokeAllSection } from './revoke-all-section.tsx'

/** The browsers that are known for a member's account. */
export function PersonDevices({ person, now, onChanged }: PersonPageProps) {
  return (
    <RevokeAllSection
      title="Devices"
      path={`${personPath(person.id)}/devices`}
      heads={['Device', 'Known since', 'Last sign-in']}
      rows={person.devices.map((device) => ({ ...device, lastAt: device.lastUsedAt }))}
      none="No device is known."
      label="Forget all devices"
      labelWhileSending="Forgetting..."
      now={now}
      onChanged={onChanged}
    >
      The next sign-in of <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>) on each device counts
      as one from a new device, and is told to them by email. Their sessions stay as they are.
    </RevokeAllSection>
  )
}
