export { type ChildProcess, type ChildProcessOptions, createChildError, killAll, startChild } from './child-process.ts'
export { startExporter } from './exporters.ts'
export { findFreePort, isPortFree } from './free-port.ts'
export { ensurePrograms } from './install.ts'
export { readLogTail } from './log-tail.ts'
export { type NatsOptions, startNats } from './nats.ts'
export { type PgBouncerOptions, startPgBouncer, supportsPreparedStatements } from './pgbouncer.ts'
export { removePidFile, runningPid, stopLeftOver, writePidFile } from './pid-file.ts'
export { startPostgres } from './postgres.ts'
export { removeRelocatedPostgres } from './postgres-directory.ts'
export { describeRequirement, type ProgramQuery, programList } from './program-list.ts'
export {
  compareVersions,
  findPrograms,
  type Program,
  requireProgram,
  searchPrograms,
  versionNumbers,
} from './programs.ts'
export { requirePromtool, startPrometheus } from './prometheus.ts'
export { type RedisOptions, startRedis, startSentinel } from './redis.ts'
export type { RunningServer } from './running-server.ts'
export { SetupError } from './setup-error.ts'
