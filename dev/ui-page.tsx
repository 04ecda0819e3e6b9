import { type ReactNode, useRef, useState } from 'react'
import { ActDialog } from '../src/ui/act-dialog.tsx'
import { Badge } from '../src/ui/badge.tsx'
import { Button } from '../src/ui/button.tsx'
import { Checkbox } from '../src/ui/checkbox.tsx'
import { Command } from '../src/ui/command.tsx'
import { Drawing } from '../src/ui/drawing.tsx'
import { useForm } from '../src/ui/form/use-form.ts'
import { Icon, type IconName } from '../src/ui/icon.tsx'
import { Menu } from '../src/ui/menu.tsx'
import { Announced, Notice } from '../src/ui/notice.tsx'
import { OutagePage } from '../src/ui/outage-page.tsx'
import { Pattern } from '../src/ui/pattern.tsx'
import { RibbonMark } from '../src/ui/ribbon-mark.tsx'
import { SearchField } from '../src/ui/search-field.tsx'
import { Select } from '../src/ui/select.tsx'
import { Spinner } from '../src/ui/spinner.tsx'
import { StatePage } from '../src/ui/state-page.tsx'
import { PasswordField, TextField } from '../src/ui/text-field.tsx'
import tokensCss from '../src/ui/tokens.css?raw'
import './ui-page.css'

/*
 * Every token and every component of src/ui in its states. `npm run dev` serves it at /docs/ui; a build holds neither
 * the page nor its address. The theme is that of the site: the switch in the header shows the other one.
 */

export const meta = () => [{ title: 'Components · Daybook' }, { name: 'robots', content: 'noindex' }]

/** The names of all tokens of a kind, read from the style sheet itself. */
const tokens = [...new Set([...tokensCss.matchAll(/^ +--([\w-]+):/gm)].map(([, name = '']) => name))]
const of = (kind: string): string[] =>
  tokens.filter((name) => name.startsWith(`${kind}-`) && !name.endsWith('--line-height'))

const accents = ['asian', 'western', 'banned', 'unknown', 'vip']
const icons = [
  'search',
  'close',
  'menu',
  'filters',
  'sun',
  'moon',
  'download',
  'back',
  'on',
  'check',
  'down',
  'crown',
  'clock',
  'alarm',
  'shield',
] satisfies IconName[]

export default function UiPage() {
  return (
    <div className="column ui-page">
      <h1>Components</h1>
      <p className="ui-lead">Every token and component of src/ui. The switch in the header shows the other theme.</p>
      <Tokens />
      <Buttons />
      <Fields />
      <Marks />
      <Overlays />
      <States />
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="ui-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** One thing and what it is called. */
function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className="ui-shown">
      <div>{children}</div>
      <figcaption>{name}</figcaption>
    </figure>
  )
}

function Tokens() {
  const colors = of('color')
  const ofAccents = (name: string): boolean => accents.some((accent) => name.startsWith(`color-${accent}-`))
  return (
    <Part title="Tokens">
      <h3>Neutral colours</h3>
      <Swatches names={colors.filter((name) => !ofAccents(name))} />
      {accents.map((accent) => (
        <div key={accent}>
          <h3>Accent {accent}</h3>
          <Swatches names={colors.filter((name) => name.startsWith(`color-${accent}-`))} />
        </div>
      ))}
      <h3>Type</h3>
      <div className="ui-types">
        {['serif', 'sans'].map((family) =>
          of('text').map((name) => (
            <p
              key={family + name}
              style={{
                fontFamily: `var(--font-${family})`,
                fontSize: `var(--${name})`,
                lineHeight: `var(--${name}--line-height)`,
              }}
            >
              The book of days, 1234567890 <small>{`${family}, ${name}`}</small>
            </p>
          )),
        )}
        <p className="small-caps">Small capitals</p>
        <p>
          A sentence with a{' '}
          <a className="text-link" href="#tokens">
            link
          </a>{' '}
          in it.
        </p>
      </div>
      <h3>Corners and shadows</h3>
      <div className="ui-row">
        {of('radius').map((name) => (
          <Shown key={name} name={name}>
            <span className="ui-box" style={{ borderRadius: `var(--${name})` }} />
          </Shown>
        ))}
        {of('shadow').map((name) => (
          <Shown key={name} name={name}>
            <span className="ui-box ui-box-plain" style={{ boxShadow: `var(--${name})` }} />
          </Shown>
        ))}
      </div>
    </Part>
  )
}

function Swatches({ names }: { names: string[] }) {
  return (
    <div className="ui-swatches">
      {names.map((name) => (
        <Shown key={name} name={name.replace('color-', '')}>
          <span className="ui-swatch" style={{ background: `var(--${name})` }} />
        </Shown>
      ))}
    </div>
  )
}

function Buttons() {
  const [segment, setSegment] = useState('All')
  return (
    <Part title="Buttons">
      {['', ...accents.map((accent) => `accent-${accent}`)].map((accent) => (
        <div key={accent} className={`ui-row ${accent}`}>
          <Shown name={accent === '' ? "the page's accent" : accent}>
            <Button look="solid" label="Solid" onClick={() => undefined} />
          </Shown>
          <Shown name="button">
            <Button label="Plain" onClick={() => undefined} />
          </Shown>
          <Shown name="button-tint">
            <button type="button" className="button button-tint">
              Tint
            </button>
          </Shown>
          <Shown name="button-quiet">
            <Button look="quiet" label="Quiet" onClick={() => undefined} />
          </Shown>
          <Shown name="button-icon">
            <button type="button" className="button button-icon" aria-label="Download">
              <Icon name="download" />
            </button>
          </Shown>
          <Shown name="disabled">
            <Button look="solid" label="Disabled" disabled onClick={() => undefined} />
          </Shown>
          <Shown name="waiting">
            <Button look="solid" label="Saving..." isBusy onClick={() => undefined} />
          </Shown>
        </div>
      ))}
      <div className="ui-row">
        {['', 'accent-western'].map((accent) => (
          <Shown key={accent} name={`segments ${accent}`}>
            <div className={`segments ${accent}`} role="group" aria-label={`Which ${accent}`}>
              {['All', 'New', 'Seen'].map((label) => (
                <button key={label} type="button" aria-pressed={segment === label} onClick={() => setSegment(label)}>
                  {label}
                </button>
              ))}
            </div>
          </Shown>
        ))}
        <Shown name="chip">
          <button type="button" className="chip accent-asian">
            <span>Literature</span>
            <Icon name="close" size={16} />
          </button>
        </Shown>
      </div>
    </Part>
  )
}

function Fields() {
  const [search, setSearch] = useState('')
  const [found, setFound] = useState('poems')
  const [category, setCategory] = useState('')
  const [year, setYear] = useState('2026')
  const input = useRef<HTMLInputElement>(null)
  const filled = useRef<HTMLInputElement>(null)
  const years = [
    { value: '', label: 'Any year' },
    { value: '2026', label: '2026' },
    { value: '2025', label: '2025' },
  ]
  const nothing = (): void => undefined
  return (
    <Part title="Fields">
      <div className="ui-fields">
        <TextField name="plain" label="Name" placeholder="As others see it" />
        <TextField name="helped" label="Name with help" help="One to a hundred characters." defaultValue="Ada" />
        <TextField name="wrong" label="Email with a problem" problem="Enter an email address." defaultValue="ada@" />
        <TextField name="off" label="Disabled" defaultValue="Ada" disabled />
        <PasswordField name="password" label="Password" help="At least ten characters." />
        <PasswordField name="badPassword" label="Password with a problem" problem="This password is too short." />
        <Checkbox name="box" label="Keep me signed in" defaultChecked />
        <Checkbox name="badBox" label="I accept the terms" problem="Tick the box to go on." />
        <SearchField
          name="search"
          label="Search"
          placeholder="Search by name"
          value={search}
          maxLength={100}
          inputRef={input}
          shortcut="/"
          onChange={setSearch}
          onCompose={nothing}
        />
        <SearchField
          name="found"
          label="Search with a text"
          placeholder="Search by name"
          value={found}
          maxLength={100}
          inputRef={filled}
          onChange={setFound}
          onCompose={nothing}
        />
        <div className="ui-row">
          <Select name="category" label="Year, none chosen" value={category} options={years} onChange={setCategory} />
          <Select name="year" label="Year" value={year} options={years} onChange={setYear} />
        </div>
      </div>
    </Part>
  )
}

function Marks() {
  return (
    <Part title="Marks">
      <div className="ui-row">
        {icons.map((name) => (
          <Shown key={name} name={name}>
            <Icon name={name} size={24} />
          </Shown>
        ))}
      </div>
      <div className="ui-row">
        {accents.map((accent) => (
          <Shown key={accent} name={`badge, ${accent}`}>
            <span className={`accent-${accent}`}>
              <Badge icon={accent === 'vip' ? 'crown' : 'check'}>{accent}</Badge>
            </span>
          </Shown>
        ))}
        <Shown name="badge">
          <Badge>Draft</Badge>
        </Shown>
        <Shown name="kbd">
          <kbd>/</kbd>
        </Shown>
        <Shown name="spinner">
          <Spinner />
        </Shown>
        <Shown name="command">
          <Command line="npm run daybook -- export" />
        </Shown>
      </div>
      <div className="ui-row">
        {accents.map((accent) => (
          <Shown key={accent} name={`ribbon, ${accent}`}>
            <span className={`accent-${accent}`}>
              <RibbonMark />
            </span>
          </Shown>
        ))}
      </div>
      <div className="ui-patterns">
        {accents.map((accent) =>
          (['waves', 'tracery'] as const).map((name) => (
            <Shown key={accent + name} name={`${name}, ${accent}`}>
              <span className={`ui-pattern accent-${accent}`}>
                <Pattern name={name} />
              </span>
            </Shown>
          )),
        )}
      </div>
    </Part>
  )
}

function Overlays() {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string>()
  return (
    <Part title="Notices, menu, dialog">
      <div className="ui-notices">
        <Announced>
          <Notice tone="done">
            <p>Your name is saved.</p>
          </Notice>
        </Announced>
        <Notice tone="failed">
          <p>Your name could not be saved.</p>
          <p>Try again in a minute.</p>
        </Notice>
        <Notice tone="calm">
          <p>This page shows demo data.</p>
        </Notice>
      </div>
      <div className="ui-row">
        <Shown name="menu">
          <div className="ui-menu">
            <Menu
              button={
                <>
                  Account <Icon name="down" size={16} />
                </>
              }
              head={<strong>Ada</strong>}
              groups={[
                {
                  items: [
                    { label: 'Plans', to: '/plans' },
                    { label: 'Community', outsideUrl: 'https://example.org/' },
                  ],
                },
                {
                  label: 'This device',
                  items: [{ label: 'Sign out', icon: <Icon name="close" />, onSelect: () => setChosen('Sign out') }],
                },
              ]}
            />
          </div>
        </Shown>
        <Shown name="dialog">
          <button type="button" className="button" onClick={() => setOpen(true)}>
            Open the dialog
          </button>
        </Shown>
      </div>
      {chosen === undefined ? null : <p role="status">{`Chosen: ${chosen}`}</p>}
      {isOpen ? <ActExample onClose={() => setOpen(false)} /> : null}
    </Part>
  )
}

function ActExample({ onClose }: { onClose: () => void }) {
  const form = useForm({
    defaults: { name: '' },
    check: ({ name }) => (name === '' ? { field: 'name', message: 'Please enter a name.' } : undefined),
    send: () => new Promise((resolve) => setTimeout(resolve, 1_000)).then(onClose),
    refusalOf: () => Promise.resolve(undefined),
  })
  return (
    <ActDialog
      title="Delete this entry?"
      form={form}
      label="Delete"
      labelWhileSending="Deleting..."
      isGrave
      onClose={onClose}
    >
      <p>It cannot be brought back.</p>
      <TextField {...form.field('name')} label="Type its name to confirm" autoComplete="off" />
    </ActDialog>
  )
}

function States() {
  return (
    <Part title="States of a page">
      <div className="ui-row">
        {(['empty', 'missing', 'blot', 'shut'] as const).map((name) => (
          <Shown key={name} name={name}>
            <span className="ui-drawing accent-western">
              <Drawing name={name} />
            </span>
          </Shown>
        ))}
      </div>
      <div className="ui-states">
        <StatePage
          drawing="empty"
          title="Nothing is found"
          level={2}
          steps={
            <button type="button" className="button button-solid">
              Clear the filters
            </button>
          }
        >
          <p>No entry has this name.</p>
        </StatePage>
        <OutagePage message="The database does not answer. Please try again in a minute." />
      </div>
    </Part>
  )
}
