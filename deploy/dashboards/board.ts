import {
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'

/** A dashboard as data. */
export interface Board {
  /** Alerts name a board by `social-login-<name>`, its uid. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly rows: readonly Row[]
}

interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  /** What the reader should know to judge it. */
  readonly description?: string
  /** Of Grafana: `s`, `reqps`, `percentunit`, `short`, `bytes`, … */
  readonly unit: string
  /** By the legend of its series. */
  readonly queries: Readonly<Record<string, string>>
  /** `stat`: the present value alone. `stacked`: series that add up. */
  readonly as?: 'stat' | 'stacked'
  readonly min?: number
  readonly max?: number
}

/** Series of a metric, in the namespace that is looked at. */
export function of(metric: string, labels = ''): string {
  return `${metric}{namespace=~"$namespace"${labels && `,${labels}`}}`
}

/** Growth a second of a counter, or of a histogram's part. */
export function rate(metric: string, labels = ''): string {
  return `rate(${of(metric, labels)}[$__rate_interval])`
}

/** A quantile of a histogram, by some labels. */
export function quantile(q: number, metric: string, { by = '', labels = '' } = {}): string {
  return `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (${rate(`${metric}_bucket`, labels)}))`
}

/** p50, p95 and p99 of a histogram. */
export function quantiles(metric: string, labels = ''): Record<string, string> {
  return Object.fromEntries([0.5, 0.95, 0.99].map((q) => [`p${q * 100}`, quantile(q, metric, { labels })]))
}

const source = { type: 'prometheus', uid: '$datasource' }

export function build({ name, title, description, rows }: Board): Dashboard {
  const builder = new DashboardBuilder(`Social login / ${title}`)
    .uid(`social-login-${name}`)
    .description(description)
    .tags(['social-login'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('namespace')
        .label('Namespace')
        .datasource(source)
        .query('label_values(sociallogin_build_info, namespace)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .includeAll(true)
        // Series without a namespace, of a Prometheus outside Kubernetes, too.
        .allValue('.*')
        .current({ text: 'All', value: '$__all' }),
    )
    .link(
      new DashboardLinkBuilder('Social login')
        .type(DashboardLinkType.Dashboards)
        .tags(['social-login'])
        .asDropdown(true)
        .keepTime(true)
        .includeVars(true),
    )
  let id = 1
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(id++))
    for (const panel of row.panels) builder.withPanel(panelOf(panel, row.panels.length).id(id++))
  }
  return builder.build()
}

const grid_columns = 24

function panelOf(panel: Panel, in_its_row: number): StatBuilder | TimeseriesBuilder {
  const { title, description, unit, queries, as, min, max } = panel
  const width = Math.max(grid_columns / in_its_row, grid_columns / 4)
  const builder = as === 'stat' ? stat() : timeseries(as === 'stacked')
  builder.title(title).unit(unit).datasource(source).span(width)
  if (description !== undefined) builder.description(description)
  if (min !== undefined) builder.min(min)
  if (max !== undefined) builder.max(max)
  for (const [place, [legend, expr]] of Object.entries(queries).entries()) {
    const query = new DataqueryBuilder()
      .refId(String.fromCharCode('A'.charCodeAt(0) + place))
      .datasource(source)
      .expr(expr)
      .legendFormat(legend)
    builder.withTarget(as === 'stat' ? query.instant() : query.range())
  }
  return builder
}

function stat(): StatBuilder {
  return new StatBuilder().height(4).reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
}

function timeseries(stacked: boolean): TimeseriesBuilder {
  const builder = new TimeseriesBuilder().height(8).legend(new VizLegendOptionsBuilder().showLegend(true))
  if (!stacked) return builder
  return builder.fillOpacity(30).stacking(new StackingConfigBuilder().mode(StackingMode.Normal))
}
