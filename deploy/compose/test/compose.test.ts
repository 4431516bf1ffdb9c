import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isDevelopment } from '../../../services/console/config.ts'
import * as configs from '../../../testing/services.ts'
import { programPaths } from '../../build/programs.ts'
import { databaseOwners } from '../../local/database-owners.ts'
import { services } from '../../local/services.ts'
import { passwordVariable } from '../../nats/authorization.ts'
import { busInterfaces } from '../../nats/bus-interfaces.ts'

const Container = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.boolean().default(false),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
})
const text = readFileSync('deploy/compose.yaml', 'utf8')
const compose = z.object({ services: z.record(z.string(), Container) }).parse(parse(text, { merge: true }))
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'social-login')

const secrets = Object.fromEntries(
  execFileSync('deploy/compose/secrets.sh', { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)
/** Replaces variables as Docker Compose does. */
const interpolated = (value: string) => value.replace(/\$\{(\w+)(:\?[^}]*)?\}/g, (_, name) => secrets[name] ?? '?')

const configOf: Readonly<Record<string, (environment: Record<string, string>) => unknown>> = {
  identity: configs.identity.readConfig,
  profile: configs.profile.readConfig,
  friendship: configs.friendship.readConfig,
  events: configs.events.readConfig,
  'provider-auth': configs.providerAuth.readConfig,
  'provider-simulator': configs.providerSimulator.readConfig,
  console: configs.managementConsole.readConfig,
  'api-gateway': configs.apiGateway.readConfig,
}

test('compose runs every service and every migration', () => {
  const all = [...services.flat().map(({ name }) => name), ...databaseOwners.map(({ name }) => `${name}-migrate`)]
  expect(ours.map(([name]) => name).sort()).toEqual(all.sort())
})

test.each(ours)('compose: %s runs one of our programs on a read-only file system', (name, container) => {
  const [script = ''] = container.command
  expect(script).toBe(
    name.endsWith('-migrate') ? `services/${name.slice(0, -8)}/migrate.js` : `services/${name}/main.js`,
  )
  expect(programPaths).toContain(script)
  expect(container.read_only).toBe(true)
})

test.each(ours.filter(([name]) => !name.endsWith('-migrate')))(
  'compose: %s gets only settings that it reads, and all required ones',
  (name, { environment }) => {
    const given = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, interpolated(value)]))
    expect(() => configOf[name]?.(given)).not.toThrow()
    const { settings = [] } = Object(configOf[name])
    expect(settings).toEqual(expect.arrayContaining(Object.keys(environment)))
  },
)

test('compose waits only for services that it runs, and names every generated secret', () => {
  const awaited = Object.values(compose.services).flatMap(({ depends_on }) => Object.keys(depends_on))
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(awaited))
  const named = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  expect([...named].sort()).toEqual(Object.keys(secrets).sort())
})

test('compose lets a link sign in to the console, as npm start does', () => {
  const { environment = {} } = compose.services.console ?? {}
  const config = configs.managementConsole.readConfig(
    Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, interpolated(value)])),
  )
  expect(isDevelopment(config)).toBe(true)
})

test('compose gives NATS the password of every user that it knows', () => {
  const { environment = {} } = compose.services.nats ?? {}
  expect(Object.keys(environment).sort()).toEqual(busInterfaces.map(({ name }) => passwordVariable(name)).sort())
})
