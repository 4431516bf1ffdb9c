import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { imageSize } from 'image-size'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { provisionDatabase } from '#database'
import { startNats, startRedis } from '#local'
import { nodeEnvironment } from '#testing'
import { encodePng } from '../../../services/console/pictures/encode-png.ts'
import type { PictureTask } from '../../../services/console/pictures/picture-thread.ts'
import { buildPages, isStale } from '../../../services/console/web/build.ts'
import { logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import { type Collector, startCollector } from '../../../testing/collector.ts'
import { databaseOwners } from '../../local/database-owners.ts'
import { type DemoSite, seedDemo } from '../../local/demo.ts'
import { findPublicPorts } from '../../local/find-public-ports.ts'
import { createPaths } from '../../local/paths.ts'
import { startService } from '../../local/run-service.ts'
import { openSecrets } from '../../local/secrets.ts'
import { services } from '../../local/services.ts'
import { readSettings } from '../../local/settings.ts'
import { createWiring, type Wiring } from '../../local/wiring.ts'
import { buildPrograms } from '../build.ts'
import { type BundledPackage, parseLicenses } from '../licenses.ts'
import { Bom, writeMaterials } from '../materials.ts'
import { missesSettings, programPaths, threadPaths } from '../programs.ts'
import { toBuilt } from '../to-built.ts'

const run = promisify(execFile)
const stack = new AsyncDisposableStack()
let directory: string
let built: string
let packages: readonly BundledPackage[]

beforeAll(async () => {
  directory = mkdtempSync(join(inject('directory'), 'build-'))
  built = join(directory, 'built')
  if (isStale()) await buildPages()
  packages = await buildPrograms(built)
})
afterAll(() => stack.disposeAsync())

test.each(programPaths)('%s starts from its bundle, and ends because its settings are missing', async (path) => {
  const ended = await run(process.execPath, [join(built, path)], { env: nodeEnvironment }).catch((error) => error)
  const { code, stdout, stderr } = z.object({ code: z.int(), stdout: z.string(), stderr: z.string() }).parse(ended)
  expect(code).toBe(1)
  expect(stdout + stderr).toSatisfy((output: string) => missesSettings(path, output))
})

test('the thread of the console decodes pictures in its bundle', async () => {
  const [path = ''] = threadPaths
  const thread = new Worker(join(built, path))
  const encode = async (task: PictureTask) => {
    const encoded = once(thread, 'message')
    thread.postMessage(task)
    const [picture] = await encoded
    return imageSize(Buffer.from(picture)).type
  }
  // One pixel.
  expect(await encode({ source: Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64') })).toBe(
    'jpg',
  )
  const png = encodePng({ bytes: Buffer.from('b00020ff', 'hex'), width: 1, height: 1 })
  expect(await encode({ source: png, use: 'logo' })).toBe('png')
  await thread.terminate()
})

test('bundles contain only ASCII, because Node.js stores other texts in two bytes for each character', () => {
  const texts = globSync('services/*/*.js', { cwd: built }).map((path) => readFileSync(join(built, path)))
  expect(texts.filter((text) => text.some((byte) => byte > 0x7f))).toEqual([])
})

test('programs contain only packages that are not for development, each with its license', () => {
  const Lock = z.object({
    packages: z.record(
      z.string(),
      z.object({ version: z.string().optional(), dev: z.boolean().optional(), optional: z.boolean().optional() }),
    ),
  })
  const lock = Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const listed = Object.entries(lock.packages)
    .filter(([, { dev, optional }]) => !dev && !optional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`)
  expect(listed).toEqual(expect.arrayContaining(packages.map(({ name, version }) => `${name} ${version}`)))
  expect(packages.filter(({ license, text }) => license === undefined || text === '')).toEqual([])
})

test('the image lists exactly the packages in its programs, its pages, the API reference and Node.js, each with its license', async () => {
  const all = await writeMaterials(built, packages)
  const names = all.map(({ name, version }) => `${name} ${version}`)
  expect(parseLicenses(readFileSync(join(built, 'third-party-licenses.txt'), 'utf8'))).toEqual(names)
  expect(all.filter(({ license, text }) => license === undefined || text === '')).toEqual([])

  const bom = Bom.parse(JSON.parse(readFileSync(join(built, 'sbom.cdx.json'), 'utf8')))
  const listed = bom.components.map(({ name, version }) => `${name} ${version}`)
  expect(listed.toSorted()).toEqual(names.toSorted())
  const places = ['koa', 'react', '@mantine/core', '@scalar/api-reference', `node-${process.platform}-${process.arch}`]
  expect(bom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(places))
  const references = [bom.metadata.component, ...bom.components].map((component) => component['bom-ref'])
  expect(bom.dependencies.map(({ ref }) => ref).toSorted()).toEqual(references.toSorted())
  expect(references).toEqual(expect.arrayContaining(bom.dependencies.flatMap(({ dependsOn }) => dependsOn)))
  expect(bom.metadata.component).toMatchObject({ type: 'application', name: 'social-login' })
})

test('source maps lead from the bundle to the line of the source', () => {
  const text = 'database migrations are missing'
  const paths = globSync('services/*/*.js', { cwd: built })
  const path = paths.find((file) => readFileSync(join(built, file), 'utf8').includes(text)) ?? ''
  const map = new SourceMap(JSON.parse(readFileSync(join(built, `${path}.map`), 'utf8')))
  const lines = readFileSync(join(built, path), 'utf8').split('\n')
  const line = lines.findIndex((content) => content.includes(text))
  const entry = map.findEntry(line, lines[line]?.indexOf(text) ?? 0)
  const { originalSource, originalLine } = z.object({ originalSource: z.string(), originalLine: z.int() }).parse(entry)
  const source = join(dirname(path), originalSource)
  expect(readFileSync(source, 'utf8').split('\n')[originalLine]).toContain(text)
})

test('all services migrate, become ready, log an end user in and serve their files from bundles, with traces', async () => {
  const collector: Collector = stack.use(await startCollector())
  const { wiring, site } = await startBuiltStack(collector.url)

  const authorize = new URL(site.providers.search.authorize)
  const [client] = site.clients
  const [redirectUri = ''] = client.redirect_uris
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
  }
  for (const [name, value] of Object.entries(parameters)) authorize.searchParams.set(name, value)
  const callback = await logIn(openTestBrowser(), authorize.href)
  expect(callback.searchParams.get('code')).toBeTruthy()

  const { web_api, auth, simulator, console } = wiring.addresses
  const statuses = await Promise.all(
    [
      `${web_api}/docs`,
      `${web_api}/docs/scalar.js`,
      `${web_api}/docs/icon.svg`,
      `${auth}/oauth2/pages.css`,
      `${auth}/unknown`,
      simulator,
      console,
    ].map(async (address) => (await fetch(address)).status),
  )
  expect(statuses).toEqual([200, 200, 200, 200, 404, 200, 200])
  await stack.disposeAsync()
  expect(collector.spans.map(({ service }) => service)).toEqual(
    expect.arrayContaining(['api-gateway', 'provider-auth', 'identity']),
  )
})

/** Starts every service from its bundle on databases that the bundled migrations create, and seeds the demo. */
async function startBuiltStack(collectorUrl: string): Promise<{ wiring: Wiring; site: DemoSite }> {
  const nats = stack.use(await startNats({ directory }))
  const redis = stack.use(await startRedis({ directory: join(directory, 'redis'), durable: false }))
  const postgresUrl = inject('postgres_url')
  const databaseUrls = await Promise.all(
    databaseOwners.map(async ({ name }): Promise<[string, string]> => {
      const database = `built_${name}_${randomBytes(4).toString('hex')}`
      const url = await provisionDatabase(postgresUrl, { name: database, password: 'built' })
      const { stdout } = await run(process.execPath, [join(built, `services/${name}/migrate.js`)], {
        env: { ...nodeEnvironment, DATABASE_URL: url },
      })
      expect(stdout).toMatch(new RegExp(`^${name}: applied .*0001-initial`))
      return [name.replaceAll('-', '_'), url]
    }),
  )
  const secrets = openSecrets(join(directory, 'secrets.json'))
  const dependencies = {
    postgres_url: postgresUrl,
    postgresHome: 'test',
    redisUrl: redis.url,
    natsUrlOf: () => nats.url,
  }
  const settings = readSettings({ ...(await findPublicPorts()), LOCAL_DIRECTORY: directory })
  const wiring = createWiring(settings, dependencies, { database_urls: new Map(databaseUrls), secrets })
  const paths = createPaths(directory)
  for (const group of services) {
    const started = group.map(async (service) => {
      const environment = () => ({
        ...service.environment(wiring),
        OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
        OTEL_TRACES_SAMPLER_ARG: '1',
      })
      const child = await startService({ ...toBuilt(service, built), environment }, { wiring, paths })
      stack.defer(child.stop)
      await child.ready(AbortSignal.timeout(60_000))
    })
    await Promise.all(started)
  }
  const [site] = await seedDemo(wiring, secrets)
  return { wiring, site }
}
