import {
  type ActionsByGroup,
  type AuditGroup,
  auditGroupNames,
  type AuditSubjects,
  type EventOfSubject,
} from './audit-event.ts'

export class AuditWords {
  readonly #actions = new Map<string, { group: AuditGroup; label: string }>()
  readonly #subjects: AuditSubjects

  constructor(features: readonly { auditActions?: ActionsByGroup; auditSubjects?: AuditSubjects }[]) {
    for (const { auditActions = {} } of features)
      for (const group of auditGroupNames)
        for (const [action, label] of Object.entries(auditActions[group] ?? {}))
          this.#actions.set(action, { group, label })
    this.#subjects = Object.assign({}, ...features.map(({ auditSubjects }) => auditSubjects)) as AuditSubjects
  }

  /** The label of an action; the action itself where this version does not know it. */
  labelOf(action: string): string {
    return this.#actions.get(action)?.label ?? action
  }

  actionsOf(group: AuditGroup): string[] {
    return [...this.#actions].flatMap(([action, of]) => (of.group === group ? [action] : []))
  }

  /** A subject in words, and the path of its page; null where it has none. */
  describe(kind: string, event: EventOfSubject): { words: string; path: string | null } {
    const subject = this.#subjects[`${kind}:${event.id}`] ?? this.#subjects[kind]
    return { words: subject?.words(event) ?? kind, path: subject?.path(event) ?? null }
  }
}
