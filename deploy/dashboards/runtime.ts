import { type Board, of, rate } from './board.ts'

const by_replica = '{{service_name}} {{instance}}'

export const runtime: Board = {
  name: 'runtime',
  title: 'Processes',
  description:
    'What the processes use. Limits, throttling, restarts and replicas wanted: the boards of kube-prometheus.',
  rows: [
    {
      title: 'Use',
      panels: [
        {
          title: 'CPU',
          description: 'A process runs on one core, give or take: near 1 it is saturated.',
          unit: 'short',
          min: 0,
          queries: { [by_replica]: rate('process_cpu_seconds_total') },
        },
        { title: 'Memory', unit: 'bytes', min: 0, queries: { [by_replica]: of('process_resident_memory_bytes') } },
        { title: 'Heap', unit: 'bytes', min: 0, queries: { [by_replica]: of('nodejs_heap_size_used_bytes') } },
        { title: 'Open files and sockets', unit: 'short', min: 0, queries: { [by_replica]: of('process_open_fds') } },
      ],
    },
    {
      title: 'Saturation',
      panels: [
        {
          title: 'Event loop lag, p99',
          description: 'Above 100 ms requests wait for the process itself: add replicas.',
          unit: 's',
          min: 0,
          queries: { [by_replica]: of('nodejs_eventloop_lag_p99_seconds') },
        },
        {
          title: 'Time in garbage collection',
          unit: 'percentunit',
          min: 0,
          queries: { [by_replica]: `sum by (service_name, instance) (${rate('nodejs_gc_duration_seconds_sum')})` },
        },
        {
          title: 'Since the start',
          description: 'Steps down are restarts.',
          unit: 's',
          min: 0,
          queries: { [by_replica]: `time() - ${of('process_start_time_seconds')}` },
        },
      ],
    },
  ],
}
