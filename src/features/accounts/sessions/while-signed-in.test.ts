import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aMember, viewerOf } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { makeChallenge } from '../factors/challenges.server.ts'
import { setUpTotp } from '../factors/totp.server.ts'
import { whileSignedIn } from './while-signed-in.server.ts'

const testApp = appOfFile()

test('a factor that is set up while its session ends is refused as after its end', async () => {
  const { app } = testApp
  const viewer = viewerOf(await aMember(app))
  const { id: userId } = viewer.member
  const sessionId = randomUUID()
  const ended = { ...viewer, member: { ...viewer.member, sessionId } }
  const refusal = { code: 'session.invalid' }
  await expect(setUpTotp(app, ended)).rejects.toMatchObject(refusal)
  await expect(makeChallenge(app, { userId, purpose: 'proof', sessionId })).rejects.toMatchObject(refusal)
})

test('another failure stays what it is', async () => {
  const failure = new Error('The disk is full.')
  await expect(whileSignedIn(Promise.reject(failure))).rejects.toBe(failure)
})
