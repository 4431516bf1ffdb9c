import pino from 'pino'
import { describeError } from './describe-error.ts'
import { traceIds } from './tracing.ts'

export type Logger = pino.Logger
export type LogDestination = pino.DestinationStream

/**
 * Logs JSON lines. Log named facts; never an address line, key, token, code or personal datum. Lines of a trace have its id.
 *
 * @param destination standard output by default
 */
export function createLogger(service: string, level: string, destination?: LogDestination): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: traceIds,
      serializers: { error: describeError },
    },
    destination,
  )
}
