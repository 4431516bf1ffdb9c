import { allServices, type MetricDescription } from '../description.ts'

/** All processes. */
export const processMetrics = {
  sociallogin_build_info: {
    type: 'gauge',
    help: 'Always 1; the label has the running version.',
    labels: { version: 'of package.json' },
    services: allServices,
  },
} as const satisfies Record<string, MetricDescription>
