import type { Registry } from 'prom-client'
import type { Contract } from '#contracts'
import { type BusClient, createClient } from './client.ts'
import type { Bus } from './connect.ts'

/**
 * A process's place on the bus, as data. Its connection, its clients and what NATS permits it all come of this one object, so
 * that what is permitted and what is done cannot drift apart.
 */
export interface BusInterface<A extends CalledContracts = CalledContracts> {
  /** Of the process; also its user at NATS. */
  readonly name: string
  /** The contract whose procedures it answers and whose notices it tells. */
  readonly serves?: Contract
  /** What it asks of others, by the names its code has for them. */
  readonly calls: A
  /** What it listens to. */
  readonly subscribes: readonly Contract[]
}

export type CalledContracts = Readonly<Record<string, Contract>>
export type BusClients<A extends CalledContracts> = { readonly [K in keyof A]: BusClient<A[K]> }

/** Declares a station; the names of its procedures stay known to the compiler. */
export function defineBusInterface<const A extends CalledContracts>(declared: BusInterface<A>): BusInterface<A> {
  return declared
}

/** Of a contract, the procedures that are asked: a client of it knows no others. */
export function pickProcedures<C extends Contract, K extends keyof C['procedures'] & string>(
  contract: C,
  ...names: readonly K[]
): Contract<Pick<C['procedures'], K>, Record<never, never>> {
  return { service: contract.service, procedures: pick(contract.procedures, names), notices: {} }
}

/** Of a contract, the notices that are listened to. */
export function pickNotices<C extends Contract, K extends keyof C['notices'] & string>(
  contract: C,
  ...names: readonly K[]
): Contract<Record<never, never>, Pick<C['notices'], K>> {
  return { service: contract.service, procedures: {}, notices: pick(contract.notices, names) }
}

/** A client for each contract a station asks. */
export function createClients<A extends CalledContracts>(
  bus: Bus,
  { calls: asks }: BusInterface<A>,
  registry: Registry,
): BusClients<A> {
  const opened = Object.entries(asks).map(([name, contract]) => [name, createClient(bus, contract, registry)])
  // Each name still stands for the client of its own contract.
  return Object.fromEntries(opened) as BusClients<A>
}

function pick<T extends object, K extends keyof T & string>(from: T, names: readonly K[]): Pick<T, K> {
  // Of T exactly the names asked for.
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}
