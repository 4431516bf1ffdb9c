/**
 * Spans of what a process does. Off unless the process opens it, and then nothing of OpenTelemetry is even loaded: what is
 * wrapped runs as if it were not. A span holds names and numbers that are given to it here and in no way else: no address,
 * no parameter, no message of an error, since those can hold keys, codes and personal data.
 */
export interface Tracing extends AsyncDisposable {
  readonly inSpan: <T>(span: SpanDescription, work: (span: TraceSpan) => Promise<T>) => Promise<T>
  /** A span that ends when its owner says so, and that nothing is beneath. */
  readonly begin: (span: SpanDescription) => TraceSpan & { readonly end: () => void }
  /** Headers that carry the present trace to another process. */
  readonly headers: () => Readonly<Record<string, string>>
  /** Of the present span, for logs; undefined outside of one. */
  readonly ids: () => { readonly trace_id: string; readonly span_id: string } | undefined
}

export interface TraceSpan {
  readonly rename: (name: string) => void
  readonly set: (attributes: Attributes) => void
  /** @param type a short name out of few: a fault, a code, a class of errors */
  readonly fail: (type: string) => void
}

export type Attributes = Readonly<Record<string, string | number | undefined>>

export interface SpanDescription {
  readonly name: string
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  readonly attributes?: Attributes
  /** Looks up a header of what came in; the span continues the trace it tells of. Without it the present span is the parent. */
  readonly from?: ((header: string) => string | undefined) | undefined
}

let tracing: Tracing | undefined

/** Has the process trace from here on, until disposed. */
export function useTracing(opened: Tracing): AsyncDisposable {
  tracing = opened
  return {
    async [Symbol.asyncDispose]() {
      tracing = undefined
      await opened[Symbol.asyncDispose]()
    },
  }
}

const noSpan: TraceSpan = { rename: () => {}, set: () => {}, fail: () => {} }

/** Does the work in a span that ends with it; what the work throws marks the span by the class of the error alone. */
export function inSpan<T>(span: SpanDescription, work: (span: TraceSpan) => Promise<T>): Promise<T> {
  return tracing ? tracing.inSpan(span, work) : work(noSpan)
}

/** A span beneath the present one; undefined outside of a trace, so that what happens by itself makes no traces of its own. */
export function beginSpan(span: SpanDescription): ReturnType<Tracing['begin']> | undefined {
  return tracing?.ids() && tracing.begin(span)
}

export function traceHeaders(): Readonly<Record<string, string>> {
  return tracing?.headers() ?? {}
}

/** What a log line tells of the present trace. */
export function traceIds(): object {
  return tracing?.ids() ?? {}
}
