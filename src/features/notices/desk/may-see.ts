import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import { type NoticeKind, noticeKinds } from '../notice/notice-kinds.ts'

/** Whether this administrator may know of a notice: those about a child at risk, the safety officers alone. */
export function maySee(viewer: Pick<Viewer, 'roles'>, kind: NoticeKind): boolean {
  return kind !== 'child-safety' || hasRole(viewer, 'safety-officer')
}

export function visibleKinds(viewer: Pick<Viewer, 'roles'>): NoticeKind[] {
  return noticeKinds.filter((kind) => maySee(viewer, kind))
}
