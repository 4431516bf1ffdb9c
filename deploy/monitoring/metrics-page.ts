import { describeLabel, type LabelValues, metricGroups } from '#runtime'

/** docs/operate/metrics.md, from the list of metrics. */
export function createMetricsPage(): string {
  const groups = Object.entries(metricGroups).map(([title, metrics]) => {
    const rows = Object.entries(metrics).map(([name, { type, help, labels, services }]) => {
      const values = Object.entries<string | LabelValues>(labels).map(
        ([label, content]) => `\`${label}\` – ${describeLabel(content)}`,
      )
      return `| \`${name}\` | ${type} | ${[help, ...values].join('<br>')} | ${services.join(', ')} |`
    })
    return `## ${title}\n\n| Metric | Type | Meaning | Services |\n|---|---|---|---|\n${rows.join('\n')}`
  })
  return `# Metrics
Each service serves \`/metrics\` on its operations port (\`OPS_PORT\`) in Prometheus' text format. Metrics follow OpenTelemetry's semantic
conventions where those define a name; the product's own metrics start with \`sociallogin_\`. Every series has the label \`service_name\`. No label
contains an API key, a user, a site or an address: labels have only the values listed here, so the number of series does not grow with traffic.

Each process also exports the default metrics of Node.js (\`process_cpu_seconds_total\`, \`process_resident_memory_bytes\`,
\`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_gc_duration_seconds\`, …). \`sociallogin_rpc_server_duration_seconds\` counts and times every
procedure by outcome, such as creating, merging and deleting users and reading profiles and friendship status.

The lag of the event loop contains the 50 ms between two measurements: a process without any has 0.05.

Metrics with "the same at every replica" are counted in the database: use \`max\`, not \`sum\`.

${groups.join('\n\n')}

This page is generated from the services' list of metrics: \`npm run generate:monitoring\`.
`
}
