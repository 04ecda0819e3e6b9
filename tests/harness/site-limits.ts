import { vi } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { AppError } from '../../src/platform/errors.ts'

/** Nobody waits in the line of this limit of the site: whoever comes once it is all taken is refused at once. */
export function closeLine({ limits }: Pick<App, 'limits'>, name: string): { mockRestore(): void } {
  const line = limits.limit({ name: `${name}.line`, points: 1, seconds: 1 })
  return vi.spyOn(line, 'consumeInTime').mockRejectedValue(
    new AppError({
      code: 'limit.exceeded',
      status: 429,
      message: 'Too many attempts. Please try again in 1 minute.',
      retryAfterSeconds: 60,
      isCounted: true,
    }),
  )
}
