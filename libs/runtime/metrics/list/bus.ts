import { busCallers, busServers, busServices, durationBuckets, type MetricDescription } from '../description.ts'

/** Procedures between services, and NATS. */
export const busMetrics = {
  sociallogin_rpc_client_duration_seconds: {
    type: 'histogram',
    help: 'Time of procedures asked of another service over the bus, waits for the connection and repeated questions included.',
    labels: {
      rpc_service: 'the service asked',
      rpc_method: 'the procedure',
      outcome:
        '`ok`; `app_error`: a refusal the procedure declares; `unavailable`: the service says that what it needs is away; `timeout`; `no_responders`; `disconnected`; `defect`',
    },
    buckets: durationBuckets,
    services: busCallers,
  },
  sociallogin_rpc_server_duration_seconds: {
    type: 'histogram',
    help: 'Time of procedures answered over the bus.',
    labels: {
      rpc_service: 'the service that answers',
      rpc_method: 'the procedure',
      outcome: '`ok`, `app_error`, `unavailable`, `defect`',
    },
    buckets: durationBuckets,
    services: busServers,
  },
  sociallogin_rpc_server_inflight: {
    type: 'gauge',
    help: 'Procedures being answered.',
    labels: {},
    services: busServers,
  },
  sociallogin_nats_connected: {
    type: 'gauge',
    help: '1 while the process is connected to NATS, else 0.',
    labels: {},
    services: busServices,
  },
  sociallogin_nats_reconnects_total: {
    type: 'counter',
    help: 'Connections to NATS that were lost and came back.',
    labels: {},
    services: busServices,
  },
} as const satisfies Record<string, MetricDescription>
