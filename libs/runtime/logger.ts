import pino from 'pino'
import { describeError } from './describe-error.ts'
import { traceIds } from './tracing.ts'

export type Logger = pino.Logger

/** JSON lines on standard output. Log named facts; never an address line, key, token, code or personal datum. In a trace they tell its id. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: traceIds,
    serializers: { error: describeError },
  })
}
