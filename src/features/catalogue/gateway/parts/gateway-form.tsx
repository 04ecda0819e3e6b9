import { request } from '../../../../browser/api-client.ts'
import { changeAnswer, refetchAnswers } from '../../../../browser/queries.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Form } from '../../../../ui/form/form.tsx'
import type { FormState } from '../../../../ui/form/use-form.ts'
import { TextField } from '../../../../ui/text-field.tsx'
import { useStoredForm } from '../../../office/browser/stored-form.ts'
import { OvertakenNotice } from '../../../office/parts/overtaken-notice.tsx'
import { GatewaySettings } from '../gateway-schema.ts'
import { differencesIn } from './gateway-words.ts'

const providers = [
  { value: 'local', label: 'local', help: "The site's own page with a wait. It needs nobody else." },
  { value: 'linkvertise', label: 'Linkvertise', help: 'Linkvertise’s ads, on your account there.' },
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
  const form = useStoredForm({
    stored: settings,
    valuesOf: ({ version: _version, waitSeconds, ...stored }) => ({ ...stored, waitSeconds: String(waitSeconds) }),
    async save(typed, version) {
      const body = { ...settingsIn(typed), version }
      const saved = await request('/api/gateway', GatewaySettings, { method: 'PUT', body })
      changeAnswer('/api/gateway', () => saved)
      refetchAnswers('/api/gateway/report')
      return saved
    },
    readAgain,
    otherwise: 'An error occurred. Please try again.',
  })
  const { conflict } = form
  return (
    <Form
      form={form}
      act={{
        label: 'Save',
        labelWhileSending: 'Saving...',
        done: form.isSaved ? 'Saved. It takes effect on every instance within a second.' : undefined,
      }}
      className="work-section gateway-section gateway-form"
      guardsLeaving
      aria-labelledby="gateway-settings"
      steps="work-steps"
      notes={
        conflict === undefined ? null : (
          <OvertakenNotice
            sentence="Somebody else has saved in the meantime. Your changes are still here; save again to replace theirs."
            ifSame="They have saved the same."
            lines={differencesIn(settingsIn(form.values), conflict.theirs)}
          />
        )
      }
    >
      <h2 id="gateway-settings">Settings</h2>
      <p className="work-aside">
        {settings.version === 0
          ? "The environment's settings are in force. Settings saved here override them."
          : 'The settings saved here are in force and override those of the environment.'}
      </p>
      <Fields field={form.field} />
    </Form>
  )
}

type TypedSettings = Omit<GatewaySettings, 'version' | 'waitSeconds'> & { waitSeconds: string }

function settingsIn({ waitSeconds, account, publicKey, ...typed }: TypedSettings): Omit<GatewaySettings, 'version'> {
  const seconds = waitSeconds.trim()
  return {
    ...typed,
    account: account.trim(),
    publicKey: publicKey.trim(),
    // The server refuses a negative wait with its own sentence.
    waitSeconds: /^\d+$/.test(seconds) ? Number(seconds) : -1,
  }
}

function Fields({ field }: Pick<FormState<TypedSettings>, 'field'>) {
  const { problem: _problem, ...provider } = field('provider')
  return (
    <>
      <fieldset className="gateway-choice">
        <legend>Provider</legend>
        {providers.map(({ value, label, help }) => (
          <div key={value}>
            <input
              {...provider}
              type="radio"
              id={`provider-${value}`}
              value={value}
              aria-describedby={`provider-${value}-help`}
            />
            <label htmlFor={`provider-${value}`}>{label}</label>
            <p id={`provider-${value}-help`} className="work-aside">
              {help}
            </p>
          </div>
        ))}
      </fieldset>
      <TextField
        {...field('waitSeconds')}
        label="Wait, in seconds"
        inputMode="numeric"
        autoComplete="off"
        help="How long visitors wait on the local page. A change does not affect those already waiting."
      />
      <fieldset className="gateway-group">
        <legend>Linkvertise</legend>
        <TextField
          {...field('account')}
          label="Your publisher id"
          inputMode="numeric"
          autoComplete="off"
          help="Without your own, Linkvertise stays off."
        />
        <TextField
          {...field('publicKey')}
          label="Public key"
          autoComplete="off"
          spellCheck={false}
          help="2048-bit RSA, as SPKI in PEM or base64."
        />
        <Checkbox {...field('raw')} label="Leave the percent-encoding out of the addresses" />
      </fieldset>
    </>
  )
}
