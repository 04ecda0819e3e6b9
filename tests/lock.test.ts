import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { completed, missingFrom, platformOf, withoutChecksum } from '../scripts/complete-lock.mjs'

interface LockedPackage {
  version?: string
  resolved?: string
  os?: string[]
  cpu?: string[]
  dev?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}
interface Lock {
  packages: Record<string, LockedPackage>
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock
const platforms = ['linux', 'darwin'].flatMap((os) => ['x64', 'arm64'].map((cpu) => [os, cpu] as const))

describe('package-lock.json', () => {
  it('holds every optional package that a package asks for: otherwise npm ci refuses it', () => {
    expect(missingFrom(lock)).toEqual([])
  })

  // Each of these has a part that is made for one platform, and does not run without it.
  it.each([
    '@node-rs/argon2',
    '@swc/core',
    'oxfmt',
    'oxlint',
    'oxlint-tsgolint',
    'oxc-parser',
    'rolldown',
    'lightningcss',
    'typescript',
  ])('holds the part of %s for Linux and macOS, x64 and arm64', (name) => {
    const parts = Object.keys(lock.packages[`node_modules/${name}`]?.optionalDependencies ?? {}).flatMap(
      (part) => lock.packages[`node_modules/${part}`] ?? [],
    )
    const held = platforms.filter(([os, cpu]) => parts.some((part) => part.os?.includes(os) && part.cpu?.includes(cpu)))
    expect(held).toEqual(platforms)
  })

  it('names the platform of every optional part as the name of the part does', () => {
    const reported = Object.entries(lock.packages).filter(([, { os }]) => os !== undefined)
    expect(reported.length).toBeGreaterThan(50)
    for (const [path, { os, cpu }] of reported) {
      const platform = platformOf(path)
      if (platform !== undefined) expect({ path, os, cpu }).toEqual({ path, os: platform.os, cpu: platform.cpu })
    }
  })

  it('holds the checksum of every package', () => {
    expect(withoutChecksum(lock)).toEqual([])
  })

  it('says of no package where it was downloaded', () => {
    expect(Object.values(lock.packages).flatMap(({ resolved }) => resolved ?? [])).toEqual([])
  })
})

const asker = { version: '1.0.0', dev: true, optionalDependencies: { 'x-darwin-arm64': '1.2.3' } }

describe('a package without a checksum', () => {
  it('is found, unless it is the project itself, a link, or comes inside another one', () => {
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { link: true },
      'node_modules/a/node_modules/d': { version: '1.0.0', inBundle: true },
    }
    expect(withoutChecksum({ packages })).toEqual(['node_modules/b'])
    expect(withoutChecksum(completed({ packages: { 'node_modules/x': asker } }))).toContain(
      'node_modules/x-darwin-arm64',
    )
  })
})

describe('a lock is completed', () => {
  it('with what is missing, for its platform and as optional as it is', () => {
    const { packages } = completed({ packages: { '': {}, 'node_modules/x': asker } })
    expect(packages['node_modules/x-darwin-arm64']).toEqual({
      version: '1.2.3',
      cpu: ['arm64'],
      os: ['darwin'],
      dev: true,
      optional: true,
    })
  })

  it('with nothing that it holds, beside the asker or above', () => {
    const held = { version: '1.2.3' }
    const inside = { packages: { 'node_modules/x': asker, 'node_modules/x/node_modules/x-darwin-arm64': held } }
    const above = { packages: { 'node_modules/x': asker, 'node_modules/x-darwin-arm64': held } }
    expect([missingFrom(inside), missingFrom(above)]).toEqual([[], []])
  })

  it('with nothing that can only be guessed', () => {
    const ranged = { ...asker, optionalDependencies: { 'x-darwin-arm64': '^1.2.3' } }
    const nameless = { ...asker, optionalDependencies: { extra: '1.2.3' } }
    expect(() => completed({ packages: { 'node_modules/x': ranged } })).toThrow(/exact version is unknown/)
    expect(() => completed({ packages: { 'node_modules/x': nameless } })).toThrow(/exact version is unknown/)
  })
})
