import pino from 'pino'
import { describeError } from './describe-error.ts'
import { traceIds } from './tracing.ts'

export type Logger = pino.Logger
export type LogDestination = pino.DestinationStream

/**
 * Logs JSON lines. Log named fields; never a URL, key, token, code or personal data. Lines of a trace have its ID.
 *
 * @param destination the default is standard output
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
    destination ?? getStandardOutput(),
  )
}

/** Lines are written together, at the latest after this time (ms). A process that is killed loses them. Our choice. */
const flushIntervalMs = 100
const flushLength = 4_096

let standardOutput: LogDestination | undefined

/** All loggers of a process share it. */
function getStandardOutput(): LogDestination {
  standardOutput ??= openStandardOutput()
  return standardOutput
}

function openStandardOutput(): LogDestination {
  const output = pino.destination({ dest: 1, sync: true, minLength: flushLength, periodicFlush: flushIntervalMs })
  process.on('exit', () => {
    try {
      output.flushSync()
    } catch {
      // Standard output is closed, or its disk is full.
    }
  })
  return output
}
