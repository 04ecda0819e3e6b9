export interface Progress {
  done: number
  /** Undefined: nobody knows; then neither a share nor the time left is shown. */
  total: number | undefined
  /** The number for people, for example of rows; its rate is shown. */
  count: number
  noun: string
}

interface Screen {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/** Between two lines of a log; a terminal is redrawn more often. */
const lineEveryMs = 10_000
const redrawEveryMs = 100

/** Shows progress: in a terminal one line that is redrawn, elsewhere a plain line now and then. */
export class ProgressLine {
  readonly #screen: Screen
  readonly #now: () => number
  readonly #startedAt: number
  #shownAt: number
  #isDrawn = false

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen
    this.#now = now
    this.#startedAt = now()
    this.#shownAt = screen.isTTY === true ? -Infinity : this.#startedAt
  }

  show(progress: Progress): void {
    const now = this.#now()
    const isTerminal = this.#screen.isTTY === true
    if (now - this.#shownAt < (isTerminal ? redrawEveryMs : lineEveryMs)) return
    this.#shownAt = now
    const text = describe(progress, (now - this.#startedAt) / 1000)
    if (!isTerminal) {
      this.#screen.write(`${text}\n`)
      return
    }
    this.#screen.write(`\r\u001b[K${text.slice(0, (this.#screen.columns ?? 80) - 1)}`)
    this.#isDrawn = true
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#isDrawn) this.#screen.write('\r\u001b[K')
    this.#isDrawn = false
  }
}

function describe({ done, total, count, noun }: Progress, seconds: number): string {
  const rate = Math.round(count / Math.max(seconds, 0.001))
  const counted = `${count.toLocaleString('en-US')} ${noun} · ${rate.toLocaleString('en-US')} ${noun}/s`
  if (total === undefined || total === 0) return counted
  const share = Math.min(done / total, 1)
  const filled = Math.round(share * 20)
  const left = share === 0 ? '' : ` · ${duration((seconds / share) * (1 - share))} left`
  return `${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${Math.floor(share * 100)} % · ${counted}${left}`
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
