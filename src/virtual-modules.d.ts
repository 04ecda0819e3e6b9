declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router'
  const build: ServerBuild
  export = build
}

declare module 'punycode.js' {
  const punycode: { decode: (label: string) => string }
  export default punycode
}
