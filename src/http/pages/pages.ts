import type { AppError } from '../../platform/errors.ts'
import type { PageScope } from './page-scope.ts'
import type { PageTemplates, SplicedPage } from './page-template.ts'
import type { PageVisit } from './page-visit.ts'

export interface Pages {
  /** Another one whenever anything in the pages' scripts has changed. */
  build: string
  /**
   * @param scope is told what the page depends on
   * @param pattern stands for the request's address in the log
   * @param visit undefined for a page that is cached for everybody
   */
  render(request: Request, scope: PageScope, pattern: string, visit?: PageVisit): Promise<RenderedPage>
  /** Undefined where every page is rendered whole. */
  templates?: PageTemplates
  /**
   * Reads a page for its template.
   * @param url path and query in their canonical spelling
   * @param scope is told what the page depends on, where there is one
   * @returns undefined for a page that is rendered whole
   */
  splice?(url: URL, scope: PageScope, pattern: string): Promise<SplicedPage | undefined>
}

export interface RenderedPage {
  response: Response
  /** The loader's refusal, if the page shows one. */
  refusal: AppError | undefined
}
