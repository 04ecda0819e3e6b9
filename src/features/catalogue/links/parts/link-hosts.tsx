import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { Button } from '../../../../ui/button.tsx'
import { usualSentence } from '../../../../browser/api-client.ts'
import { counted } from '../../../../platform/counted.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { useBeginBulkEdit } from '../../bulk/parts/use-begin-bulk-edit.ts'
import { hostInWords } from '../../item/host-in-words.ts'
import type { LinksForAdmin } from '../links-schema.ts'

/** How many hosts are shown at first, beside the chosen one. */
const usualHosts = 30

export function LinkHosts({
  hosts,
  chosen,
  onChoose,
}: {
  hosts: LinksForAdmin['hosts']
  chosen: string
  onChoose: (host: string) => void
}) {
  const [isReplacing, setIsReplacing] = useState(false)
  const [isWhole, setIsWhole] = useState(false)
  const current = hosts.find(({ host }) => host === chosen)
  const shown = isWhole ? hosts : hosts.filter((host, place) => place < usualHosts || host === current)
  return (
    <>
      <div className="links-hosts" role="group" aria-label="Hosts">
        {shown.map(({ host, links, broken }) => (
          <button
            key={host}
            type="button"
            className="chip"
            aria-pressed={host === chosen}
            onClick={() => onChoose(host === chosen ? '' : host)}
          >
            <bdi>{hostInWords(host)}</bdi>
            <span className="links-count">
              {links.toLocaleString('en-US')}
              {broken === 0 ? null : ` · ${broken.toLocaleString('en-US')} dead`}
            </span>
          </button>
        ))}
        {hosts.length > usualHosts ? (
          <Button
            look="quiet"
            label={isWhole ? 'Show fewer' : `Show all ${hosts.length.toLocaleString('en-US')}`}
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
          />
        ) : null}
      </div>
      {chosen === '' ? null : (
        <div className="links-chosen">
          <p>
            <strong>
              <bdi>{hostInWords(chosen)}</bdi>
            </strong>{' '}
            {current === undefined ? 'has no links now.' : `has ${counted(current.links, 'link', 'links')}.`}
          </p>
          <Button label="Replace this host by …" aria-haspopup="dialog" onClick={() => setIsReplacing(true)} />
          <Button look="quiet" label="Show all hosts" onClick={() => onChoose('')} />
        </div>
      )}
      {isReplacing ? <ReplaceDialog host={chosen} onClose={() => setIsReplacing(false)} /> : null}
    </>
  )
}

const NewHost = z.object({ newHost: writtenText('Please enter the new host.') })

function ReplaceDialog({ host, onClose }: { host: string; onClose: () => void }) {
  const navigate = useNavigate()
  const begin = useBeginBulkEdit()
  const form = useApiForm({
    defaults: { newHost: '' },
    schema: NewHost,
    async send({ newHost }) {
      const { id } = await begin({ filter: { linkHost: host }, changes: { action: 'replace-host', host, newHost } })
      await navigate(`/admin/bulk-edit?edit=${id}`)
    },
    otherwise: usualSentence,
    fieldOf: (field) => field.replace(/^changes\./, ''),
    inWords: (sentence) => sentence.replace(/^newHost\b/, 'The new host'),
  })
  return (
    <ActDialog
      title={`Replace ${hostInWords(host)}`}
      lead={
        <p className="dialog-lead">
          Every link to <bdi>{hostInWords(host)}</bdi> leads to the new host instead; the rest of its address stays as
          it is. You see a preview first, and can undo it for 24 hours.
        </p>
      }
      form={form}
      label="Preview"
      labelWhileSending="Looking..."
      onClose={onClose}
    >
      <TextField
        {...form.field('newHost')}
        label="New host"
        placeholder="files.example.org"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={260}
      />
    </ActDialog>
  )
}
