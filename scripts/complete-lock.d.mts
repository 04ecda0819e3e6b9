interface Lock {
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string>; dev?: boolean }>
}

export function platformOf(name: string): { cpu: string[]; os?: string[]; libc?: string[] } | undefined
export function missingFrom(lock: Lock): { name: string; version: string; dev: boolean | undefined; asker: string }[]
export function completed(lock: Lock): Lock
