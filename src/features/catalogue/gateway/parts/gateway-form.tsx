import { type FormEvent, useRef, useState } from 'react'
import { type ApiError, request } from '../../../../browser/api-client.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { GatewaySettings } from '../gateway-schema.ts'
import { differencesIn } from './gateway-words.ts'

const providers = [
  { value: 'local', label: 'local', help: "The site's own page with a wait. It needs nobody else." },
  { value: 'linkvertise', label: 'Linkvertise', help: 'Advertisements of Linkvertise, on your account there.' },
  { value: 'off', label: 'off', help: 'Downloads are direct links for everybody.' },
] as const

/**
 * The settings. Typed values stay when a save fails. When somebody else has saved meanwhile, the form shows their values
 * beside, and the next save replaces them.
 */
export function GatewayForm({
  settings,
  readAgain,
}: {
  settings: GatewaySettings
  /** @throws {ApiError} */
  readAgain: () => Promise<GatewaySettings>
}) {
  /** The settings that the fields began with. */
  const [shown, setShown] = useState(settings)
  /** The version that a save replaces: the last that the writer has seen. */
  const [version, setVersion] = useState(settings.version)
  const [isDirty, setIsDirty] = useState(false)
  const [conflict, setConflict] = useState<{ lines: string[] }>()
  const form = useRef<HTMLFormElement>(null)
  const save = useApiMutation({
    mutationFn: (body: GatewaySettings) => request('/api/gateway', GatewaySettings, { method: 'PUT', body }),
    onSuccess: (saved) => {
      setVersion(saved.version)
      setIsDirty(false)
      setConflict(undefined)
      refetchAnswers('/api/gateway', '/api/gateway/report')
    },
    onError: async (error: ApiError, typed) => {
      recheckAccess(error)
      const wrong = error.field === undefined ? null : form.current?.elements.namedItem(error.field)
      if (wrong instanceof HTMLInputElement) wrong.focus()
      if (error.status !== 409) return
      const current = await readAgain()
      setVersion(current.version)
      setConflict({ lines: differencesIn(typed, current) })
    },
  })
  // Newer settings, such as from 'Switch off now', replace untouched fields.
  if (!isDirty && settings.version !== shown.version) {
    setShown(settings)
    setVersion(settings.version)
  }
  const errorOf = (field: string): string | undefined => (save.error?.field === field ? save.error.message : undefined)
  const isOfField = ['account', 'publicKey', 'waitSeconds'].includes(save.error?.field ?? '')

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (save.isPending) return
    setIsDirty(true)
    save.mutate({ ...typedIn(new FormData(event.currentTarget)), version })
  }

  return (
    <form
      ref={form}
      className="gateway-section gateway-form"
      aria-labelledby="gateway-settings"
      noValidate
      onInput={() => setIsDirty(true)}
      onSubmit={submit}
    >
      <h2 id="gateway-settings">Settings</h2>
      <p className="gateway-aside">
        {settings.version === 0
          ? 'The settings of the environment are in force. Settings saved here override them.'
          : 'The settings saved here are in force and override those of the environment.'}
      </p>
      <Fields key={shown.version} settings={shown} errorOf={errorOf} />
      <Announced>
        {conflict === undefined ? null : (
          <Notice tone="calm">
            <p>Somebody else has saved in the meantime. Your changes are still here; save again to replace theirs.</p>
            {conflict.lines.length === 0 ? (
              <p>They have saved the same.</p>
            ) : (
              <ul aria-label="What they have saved">
                {conflict.lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        {save.error === null || save.error.status === 409 || isOfField ? null : (
          <Notice tone="failed">{save.error.message}</Notice>
        )}
        {save.isSuccess && conflict === undefined ? (
          <Notice tone="done">Saved. It takes effect on every instance within a second.</Notice>
        ) : null}
      </Announced>
      <div className="gateway-steps">
        <button type="submit" className="button button-solid" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save'}
        </button>
      </div>
    </form>
  )
}

function Fields({ settings, errorOf }: { settings: GatewaySettings; errorOf: (field: string) => string | undefined }) {
  return (
    <>
      <fieldset className="gateway-choice">
        <legend>Provider</legend>
        {providers.map(({ value, label, help }) => (
          <div key={value}>
            <input
              type="radio"
              id={`provider-${value}`}
              name="provider"
              value={value}
              defaultChecked={settings.provider === value}
              aria-describedby={`provider-${value}-help`}
            />
            <label htmlFor={`provider-${value}`}>{label}</label>
            <p id={`provider-${value}-help`} className="gateway-aside">
              {help}
            </p>
          </div>
        ))}
      </fieldset>
      <TextField
        name="waitSeconds"
        label="Wait, in seconds"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={String(settings.waitSeconds)}
        help="How long visitors wait on the local page. A change does not affect those who are already waiting."
        problem={errorOf('waitSeconds')}
      />
      <fieldset className="gateway-group">
        <legend>Linkvertise</legend>
        <TextField
          name="account"
          label="Your publisher id"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={settings.account}
          help="Without your own, Linkvertise stays off."
          problem={errorOf('account')}
        />
        <TextField
          name="publicKey"
          label="Public key"
          autoComplete="off"
          spellCheck={false}
          defaultValue={settings.publicKey}
          help="2048-bit RSA, its SPKI as PEM or as the base64 of that."
          problem={errorOf('publicKey')}
        />
        <Checkbox name="raw" label="Leave the percent-encoding out of the addresses" defaultChecked={settings.raw} />
      </fieldset>
    </>
  )
}

function typedIn(form: FormData): Omit<GatewaySettings, 'version'> {
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const seconds = text('waitSeconds')
  return {
    provider: text('provider') as GatewaySettings['provider'],
    account: text('account'),
    publicKey: text('publicKey'),
    raw: form.get('raw') !== null,
    // The server refuses a negative wait with its own sentence.
    waitSeconds: /^\d+$/.test(seconds) ? Number(seconds) : -1,
  }
}
