const minuteMs = 60_000

/**
 * Begins work at its minutes, in this process alone: where no other process can hold the database, nothing need be written to
 * agree on who does it.
 */
export class MinuteClock {
  #timer: NodeJS.Timeout | undefined
  readonly #underWay = new Map<string, Promise<void>>()

  /**
   * @param crons expressions by the name of their work
   * @param nextAfter the first minute of an expression after an instant
   * @param work never throws; while it lasts, it is not begun again
   */
  start(
    crons: ReadonlyMap<string, string>,
    nextAfter: (cron: string, instant: Date) => Date,
    work: (name: string) => Promise<void>,
  ): void {
    let lookedAt = new Date()
    // By the expression, because many works share one and reading it is slow.
    const next = new Map([...crons.values()].map((cron) => [cron, nextAfter(cron, lookedAt)]))
    const wait = (): void => {
      this.#timer = setTimeout(look, minuteMs - (Date.now() % minuteMs)).unref()
    }
    const look = (): void => {
      const now = new Date()
      const due = new Set([...next].flatMap(([cron, at]) => (at <= now ? [cron] : [])))
      const isSetBack = now < lookedAt
      for (const cron of isSetBack ? next.keys() : due) next.set(cron, nextAfter(cron, now))
      lookedAt = now
      wait()
      for (const [name, cron] of crons) if (due.has(cron)) this.#begin(name, work)
    }
    wait()
  }

  #begin(name: string, work: (name: string) => Promise<void>): void {
    if (this.#underWay.has(name)) return
    this.#underWay.set(
      name,
      work(name).finally(() => this.#underWay.delete(name)),
    )
  }

  /** Begins nothing more, and waits for the work under way. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await Promise.all(this.#underWay.values())
  }
}
