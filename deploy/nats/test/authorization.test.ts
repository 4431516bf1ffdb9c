import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdminProcedure, adminApi } from '#admin-api'
import type { Contract } from '#contracts'
import * as contracts from '#contracts'
import { type RunningServer, startNats } from '#local'
import { createAuthorization } from '../authorization.ts'
import { busInterfaces } from '../bus-interfaces.ts'
import { createPasswords } from '../passwords.ts'

const written = 'deploy/nats/authorization.conf'
const passwords = createPasswords(busInterfaces, (name) => `secret_${name}`)
const all: Contract[] = [
  contracts.apiGatewayContract,
  contracts.identityContract,
  contracts.profileContract,
  contracts.providerAuthContract,
  contracts.friendshipContract,
  contracts.eventsContract,
  contracts.consoleContract,
]

let directory: string
let nats: RunningServer

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'social-login-nats-'))
  nats = await startNats({
    directory,
    configuration: { text: createAuthorization(busInterfaces), environment: passwords },
  })
})
afterAll(async () => {
  await nats.stop()
  await rm(directory, { recursive: true, force: true })
})

async function connectAs(name: string, pass = `secret_${name}`): Promise<NatsConnection & AsyncDisposable> {
  const connection = await connect({ servers: nats.url, user: name, pass, reconnect: false, noAsyncTraces: true })
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() })
}

/** Returns the subjects to which NATS lets the connection publish. */
async function publishes(connection: NatsConnection, subjects: readonly string[]): Promise<string[]> {
  const denied = new Set<string>()
  const watching = (async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error') continue
      const [, subject = ''] = /Publish to "([^"]+)"/.exec(status.error.message) ?? []
      denied.add(subject)
    }
  })()
  for (const subject of subjects) connection.publish(subject)
  await connection.flush()
  await connection.close()
  await watching
  return subjects.filter((subject) => !denied.has(subject))
}

/** Returns the subjects, with or without a queue, to which NATS lets the connection subscribe. */
async function subscribes(connection: NatsConnection, subscriptions: readonly { subject: string; queue?: string }[]) {
  const denied = new Set<number>()
  subscriptions.forEach(({ subject, ...queue }, index) => {
    connection.subscribe(subject, { ...queue, callback: (error) => void (error && denied.add(index)) })
  })
  await connection.flush()
  return subscriptions.filter((_, index) => !denied.has(index))
}

const subjectsOf = (contract: Contract) => ({
  procedures: Object.keys(contract.procedures).map((name) => `${contract.service}.${name}`),
  notices: Object.keys(contract.notices).map((name) => `${contract.service}.${name}`),
})
const everything = all.flatMap((contract) => Object.values(subjectsOf(contract)).flat())

test('the users of NATS are generated from the bus interfaces of the services (-u updates the file)', async () => {
  const head = '# Generated from the busInterfaces of the services; `npx vitest run deploy/nats -u` renews it.\n'
  await expect(head + createAuthorization(busInterfaces)).toMatchFileSnapshot(join(process.cwd(), written))
})

/** The calls of the console for procedures of the Admin API that a service serves. */
const served = new Set(
  Object.entries<AdminProcedure>(adminApi).map(([name, { servedBy }]) => `console: ${servedBy}.${name}`),
)

test('no service declares a call that its code does not make', () => {
  const unused = busInterfaces.flatMap(({ name, calls }) => {
    const code = globSync(`services/${name}/**/*.ts`)
      .filter((file) => !/\.test\.ts$|\/test\/|\/bus\.ts$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const called = Object.entries(calls).flatMap(([client, { procedures }]) =>
      Object.keys(procedures).map((procedure) => ({ client, procedure })),
    )
    return called
      .filter(({ client, procedure }) => !new RegExp(`\\b(${client}|asked|clients)\\.${procedure}\\b`).test(code))
      .map(({ client, procedure }) => `${name}: ${client}.${procedure}`)
      .filter((call) => !served.has(call))
  })
  expect(unused).toEqual([])
})

test.each(busInterfaces.map((busInterface) => [busInterface.name, busInterface] as const))(
  '%s can call what it declares, publish its own notices, and publish nothing else',
  async (name, busInterface) => {
    const called = Object.values(busInterface.calls).flatMap((contract) => subjectsOf(contract).procedures)
    const published = busInterface.serves ? subjectsOf(busInterface.serves).notices : []
    const others = [
      'anything',
      '_INBOX.x',
      ...busInterfaces.map((other) => `_INBOX.${other.name}.x`),
      ...busInterfaces.flatMap((caller) => all.map(({ service }) => `_INBOX.${caller.name}.${service}.x`)),
      '$SYS.REQ.SERVER.PING',
    ]
    const allowed = await publishes(await connectAs(name), [...everything, ...others])
    const answers = busInterface.serves
      ? busInterfaces.map((caller) => `_INBOX.${caller.name}.${busInterface.serves?.service}.x`)
      : []
    expect(allowed.sort()).toEqual([...new Set([...called, ...published, ...answers])].sort())
  },
)

test.each(busInterfaces.map((busInterface) => [busInterface.name, busInterface] as const))(
  '%s can reply to its own procedures in its own queue, subscribe to what it declares, and to nothing else',
  async (name, busInterface) => {
    await using connection = await connectAs(name)
    const own = busInterface.serves ? subjectsOf(busInterface.serves).procedures : []
    const heard = busInterface.subscribes.flatMap((contract) => subjectsOf(contract).notices)
    const others = ['>', '*.*', '_INBOX.>', '_INBOX.*.>', ...all.map(({ service }) => `${service}.*`)]
    const subscriptions = [
      ...[...everything, ...others].map((subject) => ({ subject })),
      ...everything.map((subject) => ({ subject, queue: subject.replace(/\..*/, '') })),
      ...busInterfaces.map((other) => ({ subject: `_INBOX.${other.name}.>` })),
    ]
    expect(await subscribes(connection, subscriptions)).toEqual([
      ...everything.filter((subject) => heard.includes(subject)).map((subject) => ({ subject })),
      ...everything
        .filter((subject) => own.includes(subject) || heard.includes(subject))
        .map((subject) => ({ subject, queue: subject.replace(/\..*/, '') })),
      { subject: `_INBOX.${name}.>` },
    ])
  },
)

test('an answer arrives only from the service that was called; no other process can publish or subscribe to it', async () => {
  await using profile = await connectAs('profile')
  await using identity = await connectAs('identity')
  await using gateway = await connectAs('api-gateway')
  const inbox = '_INBOX.api-gateway.profile.connection.1'
  const received: string[] = []
  gateway.subscribe('_INBOX.api-gateway.*.connection.*', {
    callback: (_, message) => void received.push(message.string()),
  })
  await gateway.flush()
  identity.publish(inbox, 'from identity')
  await identity.flush()
  profile.publish(inbox, 'from profile')
  await profile.flush()
  await gateway.flush()
  expect(received).toEqual(['from profile'])
})

test('a connection with a wrong password or without a user is rejected', async () => {
  await expect(connectAs('identity', 'guess')).rejects.toThrow(/authorization/i)
  await expect(connect({ servers: nats.url, reconnect: false })).rejects.toThrow(/authorization/i)
})
