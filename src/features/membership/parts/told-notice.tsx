import type { ReactNode } from 'react'
import { Notice } from '../../../ui/notice.tsx'
import type { Told } from './payment-answers.ts'

/** Why something did not go as the member wished, and what may help. */
export function ToldNotice({ told: { sentence, language, detail }, children }: { told: Told; children?: ReactNode }) {
  return (
    <Notice tone="failed">
      <p lang={language}>{sentence}</p>
      {detail === undefined ? null : <p>{detail}</p>}
      {children}
    </Notice>
  )
}
