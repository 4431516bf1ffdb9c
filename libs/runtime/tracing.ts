/**
 * Spans of a process. Tracing is off unless the process enables it; OpenTelemetry is not loaded then, and wrapped work runs
 * unchanged. A span has only the names and numbers that are set here: no URL, parameter or error message, because those can
 * contain keys, codes and personal data.
 */
export interface Tracing extends AsyncDisposable {
  readonly inSpan: <T>(span: SpanDescription, work: (span: TraceSpan) => Promise<T>) => Promise<T>
  /** Starts a span without children, which the caller must end. */
  readonly startSpan: (span: SpanDescription) => TraceSpan & { readonly end: () => void }
  /** Headers that propagate the current trace to another process. */
  readonly headers: () => Readonly<Record<string, string>>
  /** IDs of the current span, for logs; undefined outside of spans. */
  readonly ids: () => { readonly trace_id: string; readonly span_id: string } | undefined
}

export interface TraceSpan {
  readonly rename: (name: string) => void
  readonly set: (attributes: Attributes) => void
  /** @param type one of few short names: a fault, a code, an error class */
  readonly fail: (type: string) => void
}

export type Attributes = Readonly<Record<string, string | number | undefined>>

export interface SpanDescription {
  readonly name: string
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  readonly attributes?: Attributes
  /** Looks up a header of the incoming request, whose trace the span continues. Default: the current span is the parent. */
  readonly from?: ((header: string) => string | undefined) | undefined
}

let tracing: Tracing | undefined

/** Enables tracing of the process until disposed. */
export function enableTracing(opened: Tracing): AsyncDisposable {
  tracing = opened
  return {
    async [Symbol.asyncDispose]() {
      tracing = undefined
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** Whether the process has tracing. */
export function isTracingEnabled(): boolean {
  return tracing !== undefined
}

const noSpan: TraceSpan = { rename: () => {}, set: () => {}, fail: () => {} }

/** Runs the work in a span. If it throws, the span has the class of the error. */
export function inSpan<T>(span: SpanDescription, work: (span: TraceSpan) => Promise<T>): Promise<T> {
  return tracing ? tracing.inSpan(span, work) : work(noSpan)
}

/** Starts a child of the current span; undefined outside of a trace, so that background work creates no traces. */
export function startSpan(span: SpanDescription): ReturnType<Tracing['startSpan']> | undefined {
  return tracing?.ids() && tracing.startSpan(span)
}

export function traceHeaders(): Readonly<Record<string, string>> {
  return tracing?.headers() ?? {}
}

/** IDs of the current trace, for log lines. */
export function traceIds(): object {
  return tracing?.ids() ?? {}
}
