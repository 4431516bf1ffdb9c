import { randomUUID } from 'node:crypto'
import type { BusClient, Call } from '#bus'
import type { Contract } from '#contracts'

type WithOptionalCommand<I> = I extends { command: string } ? Omit<I, 'command'> & { command?: string } : I

/** A service's client for tests: a command gets a new ID unless the test gives one. */
export type TestClient<C extends Contract> = {
  readonly [K in keyof BusClient<C>]: (
    input: WithOptionalCommand<Parameters<BusClient<C>[K]>[0]>,
    call: Call,
  ) => ReturnType<BusClient<C>[K]>
}

export function withNewCommands<C extends Contract>(client: BusClient<C>): TestClient<C> {
  const procedures: [string, (input: object, call: Call) => unknown][] = Object.entries(client)
  const wrapped = procedures.map(([name, procedure]): [string, unknown] => [
    name,
    (input: object, call: Call) => procedure({ command: randomUUID(), ...input }, call),
  ])
  // The names are the client's, and services ignore the ID where the input has none.
  return Object.fromEntries(wrapped) as TestClient<C>
}
