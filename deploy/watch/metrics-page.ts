import { metricGroups } from '#runtime'

/** docs/operations/metrics.md, from the list of metrics. */
export function metricsPage(): string {
  const groups = Object.entries(metricGroups).map(([title, metrics]) => {
    const rows = Object.entries(metrics).map(([name, { type, help, labels, services }]) => {
      const values = Object.entries(labels).map(([label, meaning]) => `\`${label}\` – ${meaning}`)
      return `| \`${name}\` | ${type} | ${[help, ...values].join('<br>')} | ${services.join(', ')} |`
    })
    return `## ${title}\n\n| Metric | Type | What it tells | Services |\n|---|---|---|---|\n${rows.join('\n')}`
  })
  return `# Metrics
Each service answers \`/metrics\` on its operations port (\`OPS_PORT\`) in Prometheus' text format. What has a name in OpenTelemetry's semantic
conventions carries it; what is ours begins with \`sociallogin_\`. Every series has \`service_name\`, the service it is of. No label ever holds an
API key, a person, a site or an address: each has the few values told here, so that the number of series does not grow with traffic.

Beside these a process exports the usual ones of Node.js (\`process_cpu_seconds_total\`, \`process_resident_memory_bytes\`,
\`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_gc_duration_seconds\`, …). Users created, merged, deleted, profiles read and rebuilt,
friendships asked for are all procedures: \`sociallogin_rpc_server_duration_seconds\` counts and times each, by what came of it.

A metric "the same at every replica" is counted in the database: take its \`max\`, not its \`sum\`.

${groups.join('\n\n')}

This page is made from the services' own list: \`npm run generate:watch\`.
`
}
