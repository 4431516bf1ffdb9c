import { allServices, type MetricDescription } from '../description.ts'

/** Of every process. */
export const processMetrics = {
  sociallogin_build_info: {
    type: 'gauge',
    help: 'Always 1; tells the version that runs.',
    labels: { version: 'of package.json' },
    services: allServices,
  },
} as const satisfies Record<string, MetricDescription>
