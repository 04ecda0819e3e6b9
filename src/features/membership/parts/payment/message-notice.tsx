import type { ReactNode } from 'react'
import { Notice } from '../../../../ui/notice.tsx'
import type { Message } from './payment-replies.ts'

/** Why something did not go as the member wished, and what may help. */
export function MessageNotice({
  message: { sentence, language, detail },
  children,
}: {
  message: Message
  children?: ReactNode
}) {
  return (
    <Notice tone="failed">
      <p lang={language}>{sentence}</p>
      {detail === undefined ? null : <p>{detail}</p>}
      {children}
    </Notice>
  )
}
