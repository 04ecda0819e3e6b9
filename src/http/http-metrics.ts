import {
  cacheMetrics,
  type MetricsPart,
  queueMetrics,
  readingsOfCache,
  readingsOfQueue,
} from '../platform/metrics/metric.ts'
import type { HttpApp } from './http-app.ts'

const durations = 'daybook_http_request_duration_seconds'

export const httpMetrics: readonly MetricsPart<HttpApp>[] = [
  {
    metrics: {
      [durations]: {
        help: 'Answered requests by the pattern of their route. Finished answers go out at once and count with 0 seconds.',
        type: 'histogram',
      },
    },
    read: ({ traffic }) => ({ [durations]: traffic.samples(durations) }),
  },
  { metrics: cacheMetrics, read: ({ answers }) => readingsOfCache('answers', answers.figures) },
  { metrics: queueMetrics, read: ({ rendering }) => readingsOfQueue('pages', rendering) },
  { metrics: queueMetrics, read: ({ compressions }) => readingsOfQueue('compressions', compressions) },
]
