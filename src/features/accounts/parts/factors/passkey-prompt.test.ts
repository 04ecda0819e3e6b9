import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askForPasskey, createPasskey } from './passkey-prompt.ts'

const library = vi.hoisted(() => ({
  startRegistration: vi.fn<() => Promise<object>>(),
  startAuthentication: vi.fn<() => Promise<object>>(),
}))
vi.mock('@simplewebauthn/browser', () => library)

const options = { challenge: 'AAAA', timeout: 60_000 }

/** The abilities of the browser, and the delayed result of its prompt. */
function aBrowser({ isSecureContext = true, knowsPasskeys = true } = {}): void {
  vi.stubGlobal('window', { isSecureContext, ...(knowsPasskeys ? { PublicKeyCredential: () => undefined } : {}) })
}

function refusesWith(name: string, afterMs = 0): () => Promise<never> {
  return async () => {
    vi.advanceTimersByTime(afterMs)
    throw Object.assign(new Error('The browser says why in its own words.'), { name })
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  aBrowser()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

describe('the question for a passkey', () => {
  test('brings what the browser has answered', async () => {
    library.startRegistration.mockResolvedValue({ id: 'made' })
    library.startAuthentication.mockResolvedValue({ id: 'shown' })
    expect(await createPasskey(options)).toEqual({ response: { id: 'made' } })
    expect(await askForPasskey(options)).toEqual({ response: { id: 'shown' } })
    expect(library.startRegistration).toHaveBeenCalledWith({ optionsJSON: options })
    expect(library.startAuthentication).toHaveBeenCalledWith({ optionsJSON: options })
  })

  test.each([
    ['was closed', 'NotAllowedError', 3_000, /because your browser's prompt was closed/],
    ['waited too long', 'NotAllowedError', 60_000, /because your browser waited too long/],
    ['meets a device that has one already', 'InvalidStateError', 0, /already has a passkey for your account/],
    ['meets a device that can make none', 'NotSupportedError', 0, /cannot make a passkey that works here/],
    ['stands at another address', 'SecurityError', 0, /do not work at this address/],
    ['fails in a way that nobody has thought of', 'UnknownError', 0, /could not make a passkey/],
  ])('says so when a new one %s', async (_what, name, afterMs, sentence) => {
    library.startRegistration.mockImplementation(refusesWith(name, afterMs))
    expect(await createPasskey(options)).toEqual({ problem: expect.stringMatching(sentence) })
  })

  test.each([
    ['was closed', 'NotAllowedError', 3_000, /^No passkey was used because your browser's prompt was closed/],
    ['waited too long', 'NotAllowedError', 60_000, /waited too long/],
    ['stands at another address', 'SecurityError', 0, /do not work at this address/],
    ['fails in a way that nobody has thought of', 'UnknownError', 0, /could not use a passkey/],
  ])('says so when it %s', async (_what, name, afterMs, sentence) => {
    library.startAuthentication.mockImplementation(refusesWith(name, afterMs))
    expect(await askForPasskey(options)).toEqual({ problem: expect.stringMatching(sentence) })
  })

  test('is not asked where the browser has none', async () => {
    aBrowser({ knowsPasskeys: false })
    expect(await askForPasskey(options)).toEqual({ problem: expect.stringMatching(/^This browser knows no passkeys/) })
    aBrowser({ isSecureContext: false, knowsPasskeys: false })
    expect(await createPasskey(options)).toEqual({ problem: expect.stringMatching(/https/) })
    expect(library.startRegistration).not.toHaveBeenCalled()
    expect(library.startAuthentication).not.toHaveBeenCalled()
  })
})
