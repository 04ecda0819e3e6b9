import { request } from '../../../browser/api-client.ts'
import { useApiQuery } from '../../../browser/queries.ts'
import { DevicesForMember } from '../devices/device-schema.ts'
import { RevocableList, type RevocableTexts } from './revocable-list.tsx'

const devicesPath = '/auth/devices'

const texts: RevocableTexts = {
  title: 'Devices',
  intro:
    "Browsers in which you have signed in. Wrong passwords that somebody types elsewhere never keep you out of them, and we email you when a new one signs in. Forget any you don't recognize, and change your password.",
  failed: 'Your devices could not be loaded.',
  none: 'No device is known. The next one that signs in is told to you by email.',
  since: 'Known since',
  last: 'Last sign-in',
  end: 'Forget device',
  endCurrent: 'Forget this device',
  endOthers: 'Forget all other devices',
  ending: 'Forgetting...',
  which: (device, ago) => `: ${device}, last sign-in ${ago}`,
  ended: (device) => `${device} is forgotten. Sessions that are open there stay open.`,
  endedOthers: 'All other devices are forgotten.',
}

/** The browsers that are known for the account; each can be forgotten, and all but this one at once. */
export function DevicesList() {
  const query = useApiQuery({
    path: devicesPath,
    fetch: (token, signal) => request(devicesPath, DevicesForMember, { token, signal }),
  })
  return (
    <RevocableList
      path={devicesPath}
      query={query}
      rows={query.data?.devices.map((device) => ({ ...device, lastAt: device.lastUsedAt }))}
      texts={texts}
      onEnded={(isForgotten) =>
        query.setData((known) => known && { devices: known.devices.filter((device) => !isForgotten(device)) })
      }
    />
  )
}
