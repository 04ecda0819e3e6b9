import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  // `npm start` builds beside the standing build, and exchanges the two when the new one is whole.
  buildDirectory: process.env['BUILD_DIRECTORY'] ?? 'build',
  // One file for each program (vite.config.ts).
  serverBuildFile: '[name].js',
  ssr: true,
  // The list of routes is small; sending it whole saves a request per navigation.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
