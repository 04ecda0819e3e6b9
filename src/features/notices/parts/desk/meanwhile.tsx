import { timeInWords } from '../../../../browser/format-instant.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { statusLabels } from '../../notice/notice-kinds.ts'

export function Meanwhile({ status, happened }: Pick<NoticeForDesk, 'status'> & { happened: NoticeForDesk['events'] }) {
  return (
    <>
      {happened.length === 0 ? null : (
        <ul className="desk-meanwhile">
          {happened.map(({ at, sentence }, place) => (
            // An event has no name, and none ever moves.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place}>
              <bdi>{sentence}</bdi> <span className="work-aside">{timeInWords(at)}</span>
            </li>
          ))}
        </ul>
      )}
      <p>{`It is now: ${statusLabels[status]}. Nothing you typed is lost.`}</p>
    </>
  )
}
