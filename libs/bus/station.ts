import type { Registry } from 'prom-client'
import type { Contract } from '#contracts'
import { type Client, client } from './client.ts'
import type { Bus } from './connect.ts'

/**
 * A process's place on the bus, as data. Its connection, its clients and what NATS permits it all come of this one object, so
 * that what is permitted and what is done cannot drift apart.
 */
export interface Station<A extends Asks = Asks> {
  /** Of the process; also its user at NATS. */
  readonly name: string
  /** The contract whose procedures it answers and whose notices it tells. */
  readonly fulfils?: Contract
  /** What it asks of others, by the names its code has for them. */
  readonly asks: A
  /** What it listens to. */
  readonly hears: readonly Contract[]
}

export type Asks = Readonly<Record<string, Contract>>
export type Clients<A extends Asks> = { readonly [K in keyof A]: Client<A[K]> }

/** Declares a station; the names of its procedures stay known to the compiler. */
export function station<const A extends Asks>(declared: Station<A>): Station<A> {
  return declared
}

/** Of a contract, the procedures that are asked: a client of it knows no others. */
export function asking<C extends Contract, K extends keyof C['procedures'] & string>(
  contract: C,
  ...names: readonly K[]
): Contract<Pick<C['procedures'], K>, Record<never, never>> {
  return { service: contract.service, procedures: pick(contract.procedures, names), notices: {} }
}

/** Of a contract, the notices that are listened to. */
export function hearing<C extends Contract, K extends keyof C['notices'] & string>(
  contract: C,
  ...names: readonly K[]
): Contract<Record<never, never>, Pick<C['notices'], K>> {
  return { service: contract.service, procedures: {}, notices: pick(contract.notices, names) }
}

/** A client for each contract a station asks. */
export function clients<A extends Asks>(bus: Bus, { asks }: Station<A>, registry: Registry): Clients<A> {
  const opened = Object.entries(asks).map(([name, contract]) => [name, client(bus, contract, registry)])
  // Each name still stands for the client of its own contract.
  return Object.fromEntries(opened) as Clients<A>
}

function pick<T extends object, K extends keyof T & string>(from: T, names: readonly K[]): Pick<T, K> {
  // Of T exactly the names asked for.
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}
