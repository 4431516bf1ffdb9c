import { type Environment, type ProcessConfig, type RunningService, type Service, startProcess } from '#runtime'

const logToTest = { write: (line: string) => console.warn(line.trimEnd()) }

/** Starts a service in this process. If the test fails, prints its log from `TEST_LOG_LEVEL` (default `warn`) on. */
export function startForTest<C extends ProcessConfig, Exposed>(
  name: string,
  { readConfig, service }: { readConfig: (environment: Environment) => C; service: Service<C, Exposed> },
  environment: Environment,
): Promise<RunningService<Exposed>> {
  const common = { OPS_PORT: '0', LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'warn' }
  return startProcess(name, readConfig({ ...common, ...environment }), service, logToTest)
}
