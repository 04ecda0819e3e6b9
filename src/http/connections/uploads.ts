import type { Socket } from 'node:net'

/**
 * Connections on which an upload is under way. Node ends every request that has not arrived whole after the time for small
 * bodies; an upload has limits of its own (`upload.ts`).
 */
const underway = new WeakSet<Socket>()

export function beginUpload(socket: Socket): void {
  underway.add(socket)
}

export function endUpload(socket: Socket): void {
  underway.delete(socket)
}

export function isUploading(socket: Socket): boolean {
  return underway.has(socket)
}
