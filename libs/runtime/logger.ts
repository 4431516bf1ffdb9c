import pino from 'pino'
import { describeError } from './describe-error.ts'

export type Logger = pino.Logger

/** JSON lines on standard output. Log named facts; never an address line, key, token, code or personal datum. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describeError },
  })
}
