import { useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { callApi, NetworkError, sentenceOf } from '../call-api.ts'
import { AccountPart } from './account-part.tsx'
import { networkRefusal } from './use-submission.ts'

/** Everything that the site keeps of the member, as a file. */
export function DownloadMyData() {
  const [isLoading, setIsLoading] = useState(false)
  const [told, setTold] = useState<{ tone: 'done' | 'failed'; sentence: string }>()

  const download = async (): Promise<void> => {
    setIsLoading(true)
    setTold(undefined)
    setTold(await saveMyData())
    setIsLoading(false)
  }

  return (
    <AccountPart title="Your Data">
      <p>Your account, your sessions and your payments, as a JSON file. It holds no password and no token.</p>
      <div className="account-steps">
        <button
          type="button"
          className="button"
          aria-disabled={isLoading}
          onClick={() => {
            if (!isLoading) void download()
          }}
        >
          <Icon name="download" />
          {isLoading ? 'Preparing...' : 'Download my data'}
        </button>
      </div>
      <Announced>{told === undefined ? null : <Notice tone={told.tone}>{told.sentence}</Notice>}</Announced>
    </AccountPart>
  )
}

async function saveMyData(): Promise<{ tone: 'done' | 'failed'; sentence: string }> {
  try {
    const reply = await callApi('/auth/export')
    if (!reply.ok) return { tone: 'failed', sentence: sentenceOf(reply) ?? 'An error occurred. Please try again.' }
    const name = `my-data-${new Date().toISOString().slice(0, 10)}.json`
    save(name, `${JSON.stringify(reply.data, undefined, 2)}\n`)
    return { tone: 'done', sentence: `Saved as ${name}.` }
  } catch (error) {
    if (error instanceof NetworkError) return { tone: 'failed', sentence: networkRefusal.message }
    throw error
  }
}

/** A link cannot carry the token: the text is fetched first, and the link leads to what was fetched. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
