import { join } from 'node:path'
import { readServerPids } from '../../../toolkit/stack/server-pids.ts'
import { type BenchProcess, startBenchProcess } from '../child.ts'
import type { CountedProcess } from '../measurement/arm.ts'
import type { Product } from '../product.ts'
import { ServingReport } from './serving.ts'

/** A process that the product is compared with. */
export interface Peer {
  /** Itself, with the servers that it uses. */
  readonly processes: () => readonly CountedProcess[]
  readonly address: string
}

/** How a peer is started: by its script in this directory. */
export interface PeerProcess {
  readonly name: string
  readonly script: string
  readonly environment: Readonly<Record<string, string>>
  /** Whether the product's Postgres counts for it. */
  readonly usesPostgres: boolean
}

/** Starts a peer. The caller disposes it. */
export async function startPeer(
  { directory }: Pick<Product, 'directory'>,
  { name, script, environment, usesPostgres }: PeerProcess,
): Promise<{ readonly peer: Peer; readonly process: BenchProcess }> {
  const log = join(directory, 'logs', `${script}.log`)
  const process = startBenchProcess({ script: `peers/${script}`, log, environment })
  const { port } = ServingReport.parse(await process.receive())
  const postgres = () => ({ name: 'postgres', pid: readServerPids(directory).postgres })
  return {
    peer: {
      processes: () => [{ name, pid: process.pid }, ...(usesPostgres ? [postgres()] : [])],
      // Its own URLs have this host name, which cookies and redirects depend on.
      address: `http://localhost:${port}`,
    },
    process,
  }
}
