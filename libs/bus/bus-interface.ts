import type { Registry } from 'prom-client'
import type { Contract } from '#contracts'
import type { ProcessConfig, ServiceContext } from '#runtime'
import { type BusClient, createClient } from './client.ts'
import { type Bus, connectBus } from './connect.ts'
import type { BusFiles } from './credentials.ts'
import type { LocalServices } from './local-services.ts'

/**
 * What one process serves, calls and subscribes to, as data. Its clients and its NATS permissions derive from this object,
 * so that they cannot diverge.
 */
export interface BusInterface<A extends CalledContracts = CalledContracts> {
  /** Name of the process, and of its NATS user. */
  readonly name: string
  /** The contract whose procedures it serves and whose notices it publishes. */
  readonly serves?: Contract
  /** The procedures that it calls, by the names of the clients in its code. */
  readonly calls: A
  /** The notices that it subscribes to. */
  readonly subscribes: readonly Contract[]
}

/** The environment of a service that uses the bus. */
export interface BusContext extends ServiceContext {
  /** What it shares with the other services of its process, if there are any. */
  readonly localServices?: LocalServices
}

/** Starts a service that uses the bus. */
export type BusService<C extends ProcessConfig, Exposed> = (config: C, context: BusContext) => Promise<Exposed>

/** Connects a service with its own user. @throws if no server is reachable within five seconds */
export function openBus(
  { name }: Pick<BusInterface, 'name'>,
  config: BusFiles & { readonly NATS_URL: string },
  { logger, registry, localServices }: BusContext,
): Promise<Bus> {
  return connectBus(config.NATS_URL, { name, logger, registry, files: config, localServices })
}

export type CalledContracts = Readonly<Record<string, Contract>>
export type BusClients<A extends CalledContracts> = { readonly [K in keyof A]: BusClient<A[K]> }

/** Defines a bus interface and preserves the literal types of its procedures. */
export function defineBusInterface<const A extends CalledContracts>(busInterface: BusInterface<A>): BusInterface<A> {
  return busInterface
}

/** Selects the procedures of a contract that a process calls. */
export function pickProcedures<C extends Contract, K extends keyof C['procedures'] & string>(
  contract: C,
  ...names: readonly K[]
): Contract<Pick<C['procedures'], K>, Record<never, never>> {
  return { service: contract.service, procedures: pick(contract.procedures, names), notices: {} }
}

/** Selects the notices of a contract that a process subscribes to. */
export function pickNotices<C extends Contract, K extends keyof C['notices'] & string>(
  contract: C,
  ...names: readonly K[]
): Contract<Record<never, never>, Pick<C['notices'], K>> {
  return { service: contract.service, procedures: {}, notices: pick(contract.notices, names) }
}

/** Creates a client for each contract that the process calls. */
export function createClients<A extends CalledContracts>(
  bus: Bus,
  { calls }: BusInterface<A>,
  registry: Registry,
): BusClients<A> {
  const clients = Object.entries(calls).map(([name, contract]) => [name, createClient(bus, contract, registry)])
  // Each name maps to the client of its own contract.
  return Object.fromEntries(clients) as BusClients<A>
}

function pick<T extends object, K extends keyof T & string>(from: T, names: readonly K[]): Pick<T, K> {
  // `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}
