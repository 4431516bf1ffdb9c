import {
  type Environment,
  type LogDestination,
  type ProcessConfig,
  type RunningService,
  type Service,
  startProcess,
} from '#runtime'

const logToTest = { write: (line: string) => console.warn(line.trimEnd()) }

/**
 * Starts a service in this process. Without a destination, its log from `TEST_LOG_LEVEL` (default `warn`) on is printed if the
 * test fails.
 */
export function startForTest<C extends ProcessConfig, Exposed>(
  name: string,
  { readConfig, service }: { readConfig: (environment: Environment) => C; service: Service<C, Exposed> },
  environment: Environment,
  log: LogDestination = logToTest,
): Promise<RunningService<Exposed>> {
  const common = { OPS_PORT: '0', LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'warn' }
  return startProcess(name, readConfig({ ...common, ...environment }), service, log)
}
