import { join } from 'node:path'

/** Paths of the data, logs and process IDs of `npm start`, in `.local` or LOCAL_DIRECTORY. */
export function createPaths(directory: string) {
  return {
    directory,
    /** Addresses and keys of the demo, for scripts. It exists only while everything is ready. */
    environment: join(directory, 'environment.json'),
    secrets: join(directory, 'secrets.json'),
    logs: join(directory, 'logs'),
    /** Process ID files. */
    run: join(directory, 'run'),
    postgres: join(directory, 'postgres'),
    redis: join(directory, 'redis'),
    nats: join(directory, 'nats'),
    log: (name: string) => join(directory, 'logs', `${name}.log`),
    pidFile: (name: string) => join(directory, 'run', `${name}.pid`),
  }
}
export type Paths = ReturnType<typeof createPaths>
