import { type DashboardDefinition, type Panel, rate, rateOfSeries, selectInNamespace, selectOwn } from './dashboard.ts'

const byReplica = '{{service_name}} {{instance}}'
const chosen = 'service_name=~"$service"'
/** Containers of ours: each is named like its service. */
const container = 'container=~"$service",container!=""'
const autoscaler = 'horizontalpodautoscaler=~".*-($service)"'
const byContainer = (series: string) => `sum by (pod, container) (${series})`

const ofKubernetes: readonly Panel[] = [
  {
    title: 'Restarts',
    description: 'Since the pod was created. Several in a row: the process cannot start or is killed.',
    unit: 'short',
    min: 0,
    queries: {
      '{{pod}} {{container}}': byContainer(selectInNamespace('kube_pod_container_status_restarts_total', container)),
    },
    alerts: ['CrashLoop', 'OomKilled'],
  },
  {
    title: 'Replicas and their limit',
    description: 'At the limit of the autoscaler, no replicas can be added for more traffic.',
    unit: 'short',
    min: 0,
    queries: {
      '{{horizontalpodautoscaler}} now': selectInNamespace(
        'kube_horizontalpodautoscaler_status_current_replicas',
        autoscaler,
      ),
      '{{horizontalpodautoscaler}} wanted': selectInNamespace(
        'kube_horizontalpodautoscaler_status_desired_replicas',
        autoscaler,
      ),
      '{{horizontalpodautoscaler}} bound': selectInNamespace(
        'kube_horizontalpodautoscaler_spec_max_replicas',
        autoscaler,
      ),
    },
    alerts: ['HpaMaxedOut'],
  },
  {
    title: 'Unready replicas',
    description: 'Above 0 for minutes outside of a rollout: see the pods.',
    unit: 'short',
    min: 0,
    queries: {
      '{{deployment}}': `max by (deployment) (${selectInNamespace('kube_deployment_status_replicas_unavailable', 'deployment=~".*-($service)"')})`,
    },
    alerts: ['RolloutStuck'],
  },
  {
    title: 'CPU use of requests',
    description: 'Above 1, a replica uses more CPU than it requests.',
    unit: 'percentunit',
    min: 0,
    thresholds: { warning: 1 },
    queries: {
      '{{pod}} {{container}}': `${byContainer(rateOfSeries(selectInNamespace('container_cpu_usage_seconds_total', container)))} / ${byContainer(selectInNamespace('kube_pod_container_resource_requests', `${container},resource="cpu"`))}`,
    },
  },
  {
    title: 'Throttled',
    description: 'Share of the periods in which a CPU limit throttled the container; the chart sets no limit.',
    unit: 'percentunit',
    min: 0,
    max: 1,
    queries: {
      '{{pod}} {{container}}': `${byContainer(rateOfSeries(selectInNamespace('container_cpu_cfs_throttled_periods_total', container)))} / ${byContainer(rateOfSeries(selectInNamespace('container_cpu_cfs_periods_total', container)))}`,
    },
  },
  {
    title: 'Memory and its limit',
    description: 'At 1 the container is killed.',
    unit: 'percentunit',
    min: 0,
    max: 1,
    thresholds: { warning: 0.9 },
    queries: {
      '{{pod}} {{container}}': `${byContainer(selectInNamespace('container_memory_working_set_bytes', container))} / ${byContainer(selectInNamespace('kube_pod_container_resource_limits', `${container},resource="memory"`))}`,
    },
    alerts: ['OomKilled'],
  },
]

export const runtimeDashboard: DashboardDefinition = {
  name: 'runtime',
  title: 'Processes',
  description: 'Resource use of the processes, measured by them and by Kubernetes.',
  chooses: ['service'],
  rows: [
    {
      title: 'Utilization',
      panels: [
        {
          title: 'CPU',
          description: 'A process uses about one core: near 1 it is saturated.',
          unit: 'short',
          min: 0,
          thresholds: { warning: 0.9 },
          queries: { [byReplica]: rate('process_cpu_seconds_total', chosen) },
        },
        {
          title: 'Memory',
          description: 'Resident memory of the process, which counts against its limit.',
          unit: 'bytes',
          min: 0,
          queries: { [byReplica]: selectOwn('process_resident_memory_bytes', chosen) },
        },
        {
          title: 'Heap',
          description: 'JavaScript objects. A level that keeps rising between collections is a leak.',
          unit: 'bytes',
          min: 0,
          queries: { [byReplica]: selectOwn('nodejs_heap_size_used_bytes', chosen) },
        },
        {
          title: 'Open files and sockets',
          description: 'Mostly connections of callers.',
          unit: 'short',
          min: 0,
          queries: { [byReplica]: selectOwn('process_open_fds', chosen) },
        },
      ],
    },
    {
      title: 'Saturation',
      panels: [
        {
          title: 'Event loop lag, p99',
          description:
            'Contains the 50 ms between two measurements. Above 150 ms, requests wait for the process: add replicas.',
          unit: 's',
          min: 0,
          thresholds: { warning: 0.15 },
          queries: { [byReplica]: selectOwn('nodejs_eventloop_lag_p99_seconds', chosen) },
          alerts: ['EventLoopLag'],
        },
        {
          title: 'Time in garbage collection',
          description: 'Share of the time. Above a tenth, the process needs more memory.',
          unit: 'percentunit',
          min: 0,
          thresholds: { warning: 0.1 },
          queries: {
            [byReplica]: `sum by (service_name, instance) (${rate('nodejs_gc_duration_seconds_sum', chosen)})`,
          },
        },
        {
          title: 'Uptime',
          description: 'Steps down are restarts.',
          unit: 's',
          min: 0,
          queries: { [byReplica]: `time() - ${selectOwn('process_start_time_seconds', chosen)}` },
        },
        {
          title: 'Scraped targets',
          description: '0: Prometheus cannot scrape the target.',
          unit: 'short',
          min: 0,
          max: 1,
          queries: { '{{job}} {{instance}}': selectOwn('up', 'job=~"social-login-.*"') },
          alerts: ['TargetDown'],
        },
      ],
    },
    { title: 'Kubernetes, by kube-state-metrics and the kubelet', panels: ofKubernetes },
  ],
}
