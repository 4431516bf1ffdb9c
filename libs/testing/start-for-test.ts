import { type Environment, type ProcessConfig, type Running, type Service, start } from '#runtime'

export interface Startable<C extends ProcessConfig, Exposed> {
  readonly readConfig: (environment: Environment) => C
  readonly service: Service<C, Exposed>
}

const destination = { write: (line: string) => console.warn(line.trimEnd()) }

/** Starts a service in this process. Of a test that fails its warnings and errors are printed, or more by `TEST_LOG_LEVEL`. */
export function startForTest<C extends ProcessConfig, Exposed>(
  name: string,
  { readConfig, service }: Startable<C, Exposed>,
  environment: Environment,
): Promise<Running<Exposed>> {
  const common = { OPS_PORT: '0', LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'warn' }
  return start(name, readConfig({ ...common, ...environment }), service, destination)
}
