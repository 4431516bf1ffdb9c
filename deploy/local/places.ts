import { join } from 'node:path'

/** Where the things of a run are, under `.local` or what LOCAL_DIRECTORY names. */
export function placesIn(directory: string) {
  return {
    directory,
    /** Addresses and keys of the demo, for scripts; there while everything is ready, and only then. */
    environment: join(directory, 'environment.json'),
    secrets: join(directory, 'secrets.json'),
    logs: join(directory, 'logs'),
    /** Numbers of the processes. */
    run: join(directory, 'run'),
    postgres: join(directory, 'postgres'),
    redis: join(directory, 'redis'),
    nats: join(directory, 'nats'),
    log: (name: string) => join(directory, 'logs', `${name}.log`),
    pidFile: (name: string) => join(directory, 'run', `${name}.pid`),
  }
}
export type Places = ReturnType<typeof placesIn>
