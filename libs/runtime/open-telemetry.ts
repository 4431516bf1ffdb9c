import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  type Span as OpenSpan,
  type Attributes as SpanAttributes,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Attributes, SpanDescription, TraceSpan, Tracing } from './tracing.ts'

const kinds: Record<SpanDescription['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** How long the export of a batch may take, also while the process stops. Our choice. */
const exportTimeoutMs = 5_000

/**
 * Traces with OpenTelemetry, exported in batches by OTLP over HTTP (JSON). The process that starts a trace samples it by
 * `ratio`; processes that continue a trace follow that decision.
 *
 * @param endpoint of the collector, to which `/v1/traces` is appended
 * @param ratio of the traces started here that are sampled, 0 to 1
 * @param onLoss called when spans could not be exported
 */
export function openTelemetry(
  service: string,
  { endpoint, ratio, onLoss }: { endpoint: string; ratio: number; onLoss: () => void },
): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: exportTimeoutMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'social-login' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  })
  const quiet = () => {}
  // Messages of OpenTelemetry can contain exported data, so only their occurrence is reported.
  diag.setLogger({ error: onLoss, warn: onLoss, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const propagator = new W3CTraceContextPropagator()
  const tracer = provider.getTracer('social-login')

  const parentOf = ({ from }: SpanDescription): Context =>
    from === undefined
      ? context.active()
      : propagator.extract(context.active(), from, { get: (look, header) => look(header), keys: () => [] })
  const start = (description: SpanDescription, parent: Context) =>
    tracer.startSpan(
      description.name,
      { kind: kinds[description.kind], attributes: removeUndefined(description.attributes ?? {}) },
      parent,
    )

  return {
    async inSpan(described, work) {
      const parent = parentOf(described)
      const opened = start(described, parent)
      const span = spanOf(opened)
      try {
        return await context.with(trace.setSpan(parent, opened), work, undefined, span)
      } catch (error) {
        span.fail(error instanceof Error ? error.name : 'thrown')
        throw error
      } finally {
        opened.end()
      }
    },
    startSpan(described) {
      const opened = start(described, parentOf(described))
      return { ...spanOf(opened), end: () => opened.end() }
    },
    headers() {
      const carried: Record<string, string> = {}
      propagator.inject(context.active(), carried, {
        set: (carrier, name, value) => Object.assign(carrier, { [name]: value }),
      })
      return carried
    },
    ids() {
      const presentSpan = trace.getActiveSpan()?.spanContext()
      return presentSpan && { trace_id: presentSpan.traceId, span_id: presentSpan.spanId }
    },
    async [Symbol.asyncDispose]() {
      await provider.shutdown().catch(onLoss)
      context.disable()
      diag.disable()
    },
  }
}

function spanOf(span: OpenSpan): TraceSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(removeUndefined(attributes)),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
  }
}

function removeUndefined(attributes: Attributes): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
