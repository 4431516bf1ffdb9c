import { busCallers, busServers, busServices, durationBuckets, type MetricDescription } from '../description.ts'

/** Procedure calls between services, and NATS. */
export const busMetrics = {
  sociallogin_rpc_client_duration_seconds: {
    type: 'histogram',
    help: 'Duration of procedure calls to other services over the bus, including waits for the connection and retries.',
    labels: {
      rpc_service: 'the called service',
      rpc_method: 'the procedure',
      outcome:
        '`ok`; `app_error`: an error that the procedure declares; `unavailable`: a dependency of the called service is unavailable; `timeout`; `no_responders`; `disconnected`; `defect`',
    },
    buckets: durationBuckets,
    services: busCallers,
  },
  sociallogin_rpc_second_attempts_total: {
    type: 'counter',
    help: 'Calls that were not answered within a second, or were answered as unavailable.',
    labels: {
      rpc_service: 'the called service',
      outcome:
        '`answered` by the second attempt at another replica: the first replica is silent; `not_needed`: the first answered after all; `no_replica`: none was available; `not_allowed`: too many calls are slow',
    },
    services: busCallers,
  },
  sociallogin_rpc_server_duration_seconds: {
    type: 'histogram',
    help: 'Duration of procedures served over the bus.',
    labels: {
      rpc_service: 'the service that serves the procedure',
      rpc_method: 'the procedure',
      outcome: '`ok`, `app_error`, `unavailable`, `defect`',
    },
    buckets: durationBuckets,
    services: busServers,
  },
  sociallogin_rpc_server_inflight: {
    type: 'gauge',
    help: 'Procedures in progress.',
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
    help: 'Reconnections to NATS.',
    labels: {},
    services: busServices,
  },
} as const satisfies Record<string, MetricDescription>
