/** The identity of a file on common hosts, wherever it stands in an address. Pure and browser-safe. */

/** An address in its parts: the host without `www.`, the parts of the path and the fragment as they read. */
export interface AddressParts {
  host: string
  segments: readonly string[]
  query: URLSearchParams
  fragment: string
}

/**
 * @returns the host and the id of the file on it, such as `mega file/ABC123`, then the folders that it lies in, the innermost
 *   first; undefined where the host or the form is not known
 */
export function hostFilesOf(parts: AddressParts): [file: string, ...folders: string[]] | undefined {
  for (const { name, hosts, idOf, leastOfFolder = Infinity } of knownHosts) {
    if (!hosts.some((host) => parts.host === host || parts.host.endsWith(`.${host}`))) continue
    const { segments } = parts
    // Many hosts have their pages once more in each language.
    const id = idOf(parts) ?? (isLanguage(segments[0]) ? idOf({ ...parts, segments: segments.slice(1) }) : undefined)
    if (id === undefined) return undefined
    const path = id.split('/')
    const folders = Array.from({ length: Math.max(0, path.length - leastOfFolder) }, (_, i) =>
      path.slice(0, path.length - 1 - i).join('/'),
    )
    return [`${name} ${id}`, ...folders.map((folder) => `${name} ${folder}`)]
  }
  return undefined
}

const isLanguage = (segment = ''): boolean => /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(segment)

interface KnownHost {
  name: string
  hosts: readonly string[]
  idOf(parts: AddressParts): string | undefined
  /** With so many parts an id may be that of a folder, in which the files with further parts lie. */
  leastOfFolder?: number
}

const anId = /^[-\w]+$/

const idIn = (text: string | undefined | null, pattern: RegExp = anId): string | undefined =>
  text !== undefined && text !== null && pattern.test(text.trim()) ? text.trim() : undefined

/** The part of the path that follows one of these. */
const after = (segments: readonly string[], ...names: readonly string[]): string | undefined => {
  const place = segments.findIndex((segment) => names.includes(segment.toLowerCase()))
  return place === -1 ? undefined : segments[place + 1]
}

const joined = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) || parts.length === 0 ? undefined : parts.join('/')

/** A host whose addresses are `/{word}/{id}`, with whatever behind. */
function byWord(name: string, hosts: readonly string[], ...words: readonly string[]): KnownHost {
  return {
    name,
    hosts,
    idOf: ({ segments: [first = '', second] }) => (words.includes(first.toLowerCase()) ? idIn(second) : undefined),
  }
}

const megaId = /^[-\w]{2,}/

const knownHosts: readonly KnownHost[] = [
  {
    name: 'mega',
    hosts: ['mega.nz', 'mega.co.nz', 'mega.io', 'mega.app'],
    leastOfFolder: 2,
    idOf({ segments: [first = '', second], fragment }) {
      // The key behind the # opens the file, it does not name it. In a folder, it also says which file of it.
      const inFolder = /(?:^|\/)(?:file|folder)\/([-\w]+)/.exec(fragment)?.[1]
      const word = first.toLowerCase()
      if (word === 'folder') {
        const folder = idIn(second)
        return folder === undefined ? undefined : `folder/${folder}${inFolder === undefined ? '' : `/${inFolder}`}`
      }
      if ((word === 'file' || word === 'embed') && second !== undefined) return joined('file', idIn(second))
      const [old, id = '', , node] = fragment.split('!')
      if (!megaId.test(id)) return undefined
      if (old === '') return joined('file', idIn(id))
      if (old !== 'F') return undefined
      const inOld = node ?? /\?([-\w]+)$/.exec(fragment)?.[1]
      return `folder/${id}${inOld === undefined || inOld === '' ? '' : `/${inOld}`}`
    },
  },
  {
    name: 'google',
    hosts: [
      'drive.google.com',
      'docs.google.com',
      'drive.usercontent.google.com',
      'lh3.googleusercontent.com',
      'googleapis.com',
    ],
    idOf({ host, segments, query }) {
      const long = /^[-\w]{10,}$/
      // The interface of Drive, for programs; other services of Google are there, too.
      if (host.endsWith('googleapis.com'))
        return after(segments, 'drive') === undefined ? undefined : idIn(after(segments, 'files'), long)
      const place = segments.indexOf('d')
      // A file that is published to the web has an id of its own.
      if (place !== -1 && segments[place + 1] === 'e') return joined('published', idIn(segments[place + 2], long))
      return (
        idIn(place === -1 ? undefined : segments[place + 1], long) ??
        idIn(after(segments, 'folders'), long) ??
        idIn(query.get('id'), long)
      )
    },
  },
  {
    name: 'dropbox',
    hosts: ['dropbox.com', 'dropboxusercontent.com'],
    leastOfFolder: 2,
    idOf({ segments, query }) {
      const [start, second, third, ...rest] = segments
      const first = start?.toLowerCase()
      const preview = query.get('preview') ?? ''
      const folder = (...path: readonly (string | undefined)[]) => path.filter((part) => part !== '').join('/')
      if (first === 's') return second === 'dl' ? joined('s', idIn(third)) : joined('s', idIn(second))
      if (first === 'sh' && third !== undefined) return folder('sh', second, third, ...rest, preview)
      if (first !== 'scl') return undefined
      if (second === 'fi') return joined('fi', idIn(third))
      return second === 'fo' && third !== undefined ? folder('fo', third, ...rest, preview) : undefined
    },
  },
  {
    name: 'mediafire',
    hosts: ['mediafire.com', 'mfi.re'],
    idOf({ host, segments, query }) {
      const key = /^[a-z0-9]{9,20}$/i
      // A server of its own sends the file: /{pass}/{key}/{name}.
      if (/^download\d+\./.test(host)) return idIn(segments[1], key)?.toLowerCase()
      const [first = '', second] = segments
      const words = ['file', 'file_premium', 'view', 'download', 'folder', 'listen', 'watch', 'convkey']
      if (words.includes(first.toLowerCase())) return idIn(second, key)?.toLowerCase()
      const bare = [...query].find(([name, value]) => value === '' && key.test(name))?.[0]
      const app = host === 'app.mediafire.com' && segments.length === 1 ? first : undefined
      return (idIn(bare, key) ?? idIn(query.get('sharekey'), key) ?? idIn(app, key))?.toLowerCase()
    },
  },
  {
    name: 'pixeldrain',
    hosts: ['pixeldrain.com', 'pixeldrain.net', 'pixeldrain.dev', 'pixeldra.in'],
    leastOfFolder: 2,
    idOf({ segments, fragment }) {
      const [first, ...rest] = segments[0] === 'api' ? segments.slice(1) : segments
      if (first === 'u' || first === 'file') return joined('file', idIn(rest[0]))
      if (first === 'l' || first === 'list') {
        const item = /item=(\d+)/.exec(fragment)?.[1]
        const list = joined('list', idIn(rest[0]))
        return list === undefined || item === undefined ? list : `${list}/${item}`
      }
      return (first === 'd' || first === 'filesystem') && rest.length > 0 ? ['folder', ...rest].join('/') : undefined
    },
  },
  {
    name: 'gofile',
    hosts: ['gofile.io'],
    idOf({ segments, query }) {
      const uuid = segments.find((segment) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(segment))
      if (uuid !== undefined && segments[0] === 'download') return uuid.toLowerCase()
      return idIn(after(segments, 'd')) ?? idIn(query.get('c'))
    },
  },
  {
    name: '1fichier',
    hosts: ['1fichier.com'],
    idOf({ segments, query }) {
      const id = /^[a-z0-9]{5,30}$/i
      if (segments[0] === 'dir') return joined('dir', idIn(segments[1], id)?.toLowerCase())
      const bare = [...query].find(([name, value]) => value === '' && id.test(name))?.[0]
      return idIn(bare, id)?.toLowerCase()
    },
  },
  {
    name: 'archive',
    hosts: ['archive.org'],
    leastOfFolder: 1,
    idOf({ segments }) {
      // The archive's servers have it at /{disk}/items/{id}/{file}.
      const words = /^(?:details|download|embed|stream|serve|items|compress|metadata)$/
      const place = segments.findIndex((segment) => words.test(segment))
      if (place === -1 || place > 1) return undefined
      const [id, ...file] = segments.slice(place + 1)
      if (idIn(id, /^[-\w.@]+$/) === undefined) return undefined
      // How its pages are turned names nothing.
      if (file[0] === 'page' || file[0] === 'mode') return id
      // An item may hold many works: a file of it is not the others.
      return [id, ...file].join('/')
    },
  },
  {
    name: 'github',
    leastOfFolder: 4,
    hosts: ['github.com', 'raw.githubusercontent.com', 'media.githubusercontent.com'],
    idOf({ host, segments }) {
      const media = host === 'media.githubusercontent.com' ? segments.slice(1) : segments
      const [owner = '', repository = '', kind = '', ...rest] = media
      const project = `${owner}/${repository.replace(/\.git$/, '')}`.toLowerCase()
      if (owner === '' || repository === '' || kind === '') return undefined
      const withoutRefs = (parts: readonly string[]) => (parts[0] === 'refs' ? parts.slice(2) : parts)
      if (host.endsWith('githubusercontent.com')) return ['raw', project, ...withoutRefs([kind, ...rest])].join('/')
      if (kind === 'releases' && rest.length > 2 && (rest[0] === 'download' || rest[1] === 'download')) {
        return ['release', project, rest[0] === 'download' ? rest[1] : 'latest', ...rest.slice(2)].join('/')
      }
      if ((kind === 'raw' || kind === 'blob') && rest.length > 1)
        return ['raw', project, ...withoutRefs(rest)].join('/')
      if (kind === 'tree' && rest.length > 0) return ['raw', project, ...withoutRefs(rest)].join('/')
      return undefined
    },
  },
  {
    name: 'onedrive',
    hosts: ['onedrive.live.com', '1drv.ms'],
    idOf({ host, segments, query }) {
      if (host === '1drv.ms') return segments.length > 1 ? segments.join('/') : undefined
      return (query.get('resid') ?? query.get('id') ?? undefined)?.toUpperCase()
    },
  },
  {
    name: 'youtube',
    hosts: ['youtube.com', 'youtu.be', 'youtube-nocookie.com'],
    idOf({ host, segments, query }) {
      const id = /^[-\w]{6,}$/
      const inPath = host === 'youtu.be' ? segments[0] : after(segments, 'embed', 'shorts', 'live', 'v', 'e', 'watch')
      return idIn(inPath, id) ?? idIn(query.get('v'), id)
    },
  },
  byWord('box', ['box.com'], 's', 'v'),
  byWord('wetransfer', ['wetransfer.com'], 'downloads'),
]
