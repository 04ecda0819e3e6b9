import { idParams } from '../../../http/parameters.ts'
import { fileReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { evidenceMedia } from './evidence-media.ts'
import { evidenceNotFound, readEvidence } from './read-evidence.server.ts'
import { lostFile, storeFailure } from './evidence-failures.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

/** Files of evidence (docs/spec/publishing.md#evidence-files); they are stored with their item (`editing/`). */
export const evidenceRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    access: 'admin',
    method: 'GET',
    path: '/api/evidence/:id',
    caching: 'never',
    summary: 'A file of evidence, always as a download.',
    params: idParams('The id of the file.', evidenceNotFound),
    answers: { 200: new FileAnswer(...Object.keys(evidenceMedia)) },
    errors: [evidenceNotFound, lostFile, storeFailure],
    async handle(app, { params }) {
      const { file, ...facts } = await readEvidence(app, params.id)
      return fileReply(file, facts)
    },
  }),
]
