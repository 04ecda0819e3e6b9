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
      On each device, the next sign-in of <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>)
      counts as one from a new device, and they get an email about it. They stay signed in.
    </RevokeAllSection>
  )
}
