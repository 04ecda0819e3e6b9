import type { AppError } from '../../platform/errors.ts'
import type { PageScope } from './page-scope.ts'
import type { PageVisit } from './page-visit.ts'

/** The page bundle, as the server sees it. */
export interface Pages {
  /** Another one whenever anything in the pages' scripts has changed. */
  build: string
  /**
   * @param scope is told what the page depends on
   * @param pattern stands for the request's address in the log
   * @param visit undefined for a page that is cached for everybody
   */
  render(request: Request, scope: PageScope, pattern: string, visit?: PageVisit): Promise<RenderedPage>
}

export interface RenderedPage {
  response: Response
  /** The loader's refusal, if the page shows one. */
  refusal: AppError | undefined
}
