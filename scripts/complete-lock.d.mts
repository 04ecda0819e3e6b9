interface Lock {
  packages: Record<
    string,
    {
      version?: string
      integrity?: string
      link?: boolean
      inBundle?: boolean
      optionalDependencies?: Record<string, string>
      dev?: boolean
    }
  >
}

export function platformOf(name: string): { cpu: string[]; os?: string[]; libc?: string[] } | undefined
export function missingFrom(lock: Lock): { name: string; version: string; dev: boolean | undefined; asker: string }[]
export function completed(lock: Lock): Lock
export function withoutChecksum(lock: Lock): string[]
