import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // The list of routes is small; sending it whole saves a request per navigation.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
