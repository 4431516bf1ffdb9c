import { Registry } from 'prom-client'
import { type Bus, serveContract } from '#bus'
import { consoleContract, defineContract, friendshipContract, profileContract, providerAuthContract } from '#contracts'
import { logger } from './harness.ts'

/** Test doubles of the recipients of identity's outbox, on the bus. */
export interface TestRecipients extends AsyncDisposable {
  /** Each message: its procedure, e.g. `profile.deleteLinks`, and its input. */
  readonly received: ({ readonly to: string } & Readonly<Record<string, unknown>>)[]
}

const profiles = defineContract('profile', {
  prepareErasure: profileContract.procedures.prepareErasure,
  deleteLinks: profileContract.procedures.deleteLinks,
  mergeUsers: profileContract.procedures.mergeUsers,
})
const credentials = defineContract('providerAuth', {
  prepareErasure: providerAuthContract.procedures.prepareErasure,
  deleteLinks: providerAuthContract.procedures.deleteLinks,
})
const statuses = defineContract('friendship', {
  prepareErasure: friendshipContract.procedures.prepareErasure,
  deleteLinks: friendshipContract.procedures.deleteLinks,
})
const auditTrail = defineContract('console', { recordEndUserAction: consoleContract.procedures.recordEndUserAction })
type RecipientName = 'profile' | 'providerAuth' | 'friendship'

/** @param names those that are served, besides the console, whose messages are not in `received` */
export async function serveRecipients(
  bus: Bus,
  names: readonly RecipientName[] = ['profile', 'providerAuth', 'friendship'],
): Promise<TestRecipients> {
  const stack = new AsyncDisposableStack()
  const received: TestRecipients['received'] = []
  const receive = (to: string) => async (input: object) => {
    received.push({ to, ...input })
    return {}
  }
  const tools = { logger, registry: new Registry() }
  const erasing = (name: RecipientName) => ({
    prepareErasure: () => Promise.resolve({ deleted: {} }),
    deleteLinks: receive(`${name}.deleteLinks`),
  })
  const mergeUsers = receive('profile.mergeUsers')
  const serving = {
    profile: () => serveContract(bus, profiles, { ...erasing('profile'), mergeUsers }, undefined, tools),
    providerAuth: () => serveContract(bus, credentials, erasing('providerAuth'), undefined, tools),
    friendship: () => serveContract(bus, statuses, erasing('friendship'), undefined, tools),
  }
  for (const name of names) stack.use(serving[name]())
  stack.use(serveContract(bus, auditTrail, { recordEndUserAction: async () => ({}) }, undefined, tools))
  await bus.connection.flush()
  return { received, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
