import {
  BigValueGraphMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { type DashboardDefinition, type DashboardVariable, type Panel, selectOwn } from './dashboard.ts'

const source = { type: 'prometheus', uid: '$datasource' }

/** A dashboard as Grafana reads it. */
export function buildDashboard({ name, title, description, chooses = [], rows }: DashboardDefinition): Dashboard {
  const builder = new DashboardBuilder(`Social login / ${title}`)
    .uid(`social-login-${name}`)
    .description(description)
    .tags(['social-login'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .annotation(releases())
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(variable('namespace', 'Namespace', 'label_values(sociallogin_build_info, namespace)'))
    .withVariable(
      variable('release', 'Release', 'label_values(sociallogin_build_info{namespace=~"$namespace"}, release)'),
    )
    .link(
      new DashboardLinkBuilder('Social login')
        .type(DashboardLinkType.Dashboards)
        .tags(['social-login'])
        .asDropdown(true)
        .keepTime(true)
        .includeVars(true),
    )
  for (const choice of chooses) builder.withVariable(choices[choice]())
  let id = 1
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(id++))
    for (const panel of row.panels) builder.withPanel(panelOf(panel, row.panels.length).id(id++))
  }
  return builder.build()
}

const choices: Record<DashboardVariable, () => QueryVariableBuilder> = {
  service: () => variable('service', 'Service', `label_values(${selectOwn('sociallogin_build_info')}, service_name)`),
  provider: () =>
    variable(
      'provider',
      'Login provider',
      `label_values(${selectOwn('sociallogin_provider_circuit_state')}, provider)`,
    ),
}

/** Everything, unless the reader chooses. */
function variable(name: string, label: string, query: string): QueryVariableBuilder {
  return (
    new QueryVariableBuilder(name)
      .label(label)
      .datasource(source)
      .query(query)
      .refresh(VariableRefresh.OnTimeRangeChanged)
      .multi(true)
      .includeAll(true)
      // Series without the label, of a Prometheus outside Kubernetes, too.
      .allValue('.*')
      .current({ text: 'All', value: '$__all' })
  )
}

/** A mark where a version of a service appears. */
function releases(): AnnotationQueryBuilder {
  const versions = (offset: string) =>
    `count by (service_name, version) (${selectOwn('sociallogin_build_info')}${offset && ` offset ${offset}`})`
  return new AnnotationQueryBuilder()
    .name('Releases')
    .datasource(source)
    .enable(true)
    .iconColor('blue')
    .expr(`${versions('')} unless ${versions('5m')}`)
    .step('60s')
    .titleFormat('{{service_name}} {{version}}')
}

const gridColumns = 24

function panelOf(panel: Panel, inItsRow: number): StatBuilder | TimeseriesBuilder {
  const { title, description, unit, queries, as, min, max, alerts = [] } = panel
  const width = Math.max(Math.floor(gridColumns / inItsRow), gridColumns / 4)
  const builder = as === 'stat' ? stat() : timeseries(panel)
  builder.title(title).description(description).unit(unit).datasource(source).span(width).thresholds(stepsOf(panel))
  if (min !== undefined) builder.min(min)
  if (max !== undefined) builder.max(max)
  builder.links(alerts.map(runbook))
  for (const [index, [legend, expr]] of Object.entries(queries).entries()) {
    const query = new DataqueryBuilder()
      .refId(String.fromCharCode('A'.charCodeAt(0) + index))
      .datasource(source)
      .expr(expr)
      .legendFormat(legend)
    builder.withTarget(as === 'stat' ? query.instant() : query.range())
  }
  return builder
}

/** Uses the path that the rules use. The installation that loads the dashboards adds its base address. */
function runbook(alert: string): DashboardLinkBuilder {
  return new DashboardLinkBuilder(alert)
    .type(DashboardLinkType.Link)
    .url(`docs/operate/runbooks/${alert}.md`)
    .tooltip(`What to do when ${alert} fires`)
    .targetBlank(true)
}

/** Without thresholds nothing is colored: Grafana's default shows every value above 80 in red. */
function stepsOf({ thresholds = {} }: Panel): ThresholdsConfigBuilder {
  const { warning, critical, below } = thresholds
  const named = [
    { value: warning, color: below ? 'green' : 'orange' },
    { value: critical, color: below ? 'orange' : 'red' },
  ].filter((step): step is Threshold & { value: number } => step.value !== undefined)
  const base = named.length === 0 ? 'text' : below ? (critical === undefined ? 'orange' : 'red') : 'green'
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([{ value: null, color: base }, ...named.toSorted((a, b) => a.value - b.value)])
}

function stat(): StatBuilder {
  return new StatBuilder()
    .height(4)
    .graphMode(BigValueGraphMode.None)
    .noValue('none')
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
}

function timeseries({ as, thresholds }: Panel): TimeseriesBuilder {
  const builder = new TimeseriesBuilder().height(8).legend(new VizLegendOptionsBuilder().showLegend(true))
  if (thresholds !== undefined)
    builder.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  if (as !== 'stacked') return builder
  return builder.fillOpacity(30).stacking(new StackingConfigBuilder().mode(StackingMode.Normal))
}
