import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Which imports a room may have, by the beginning of the file's path; the first room that fits holds. */
const rooms: { room: RegExp; may: RegExp[] }[] = [
  { room: /^libs\/contracts\//, may: [/^(zod|ipaddr\.js)$/, /^libs\/contracts\//] },
  { room: /^libs\/runtime\//, may: [/^node:/, /^(zod|pino|prom-client)$/, /^@opentelemetry\//, /^libs\/runtime\//] },
  {
    room: /^libs\/bus\//,
    may: [/^node:/, /^(zod|prom-client|@nats-io\/transport-node)$/, /^libs\/bus\//, /^#(contracts|runtime)$/],
  },
  {
    room: /^libs\/database\//,
    may: [
      /^node:/,
      /^(knex|pg|graphile-worker|dataloader|prom-client|zod)$/,
      /^libs\/database\//,
      /^#(contracts|runtime)$/,
    ],
  },
  {
    room: /^libs\/http\//,
    may: [
      /^node:/,
      /^(koa|@koa\/router|raw-body|cookie|ipaddr\.js|eta|prom-client)$/,
      /^libs\/http\//,
      /^#(contracts|runtime)$/,
    ],
  },
  { room: /^libs\/messages\//, may: [/^icu-minify\/(compile|format)$/, /^libs\/messages\//] },
  { room: /^docs\/examples\//, may: [/^node:/, /^[a-z@](?!.*social-login)/, /^docs\/examples\//] },
  {
    room: /^services\/console\/cli\/domain\//,
    may: [/^zod$/, /^#(contracts|admin-api)$/, /^services\/console\/cli\/domain\//],
  },
  {
    room: /^services\/console\/cli\//,
    may: [
      /^node:/,
      /^(zod|commander|yaml|string-width)$/,
      /^#(contracts|admin-api)$/,
      /^services\/console\/(cli\/|complaints\.ts$)/,
    ],
  },
  {
    room: /^services\/[\w-]+\/domain\//,
    may: [/^node:crypto$/, /^zod$/, /^#(contracts|admin-api)$/, /^services\/[\w-]+\/domain\//],
  },
  {
    room: /^services\/[\w-]+\/migrations\//,
    may: [/^knex$/, /^#database$/, /^services\/[\w-]+\/migrations\//],
  },
]

/** Imports no room but the wiring may have. */
const only_here: { imported: RegExp; room: RegExp }[] = [
  { imported: /^(undici|cockatiel)$/, room: /^services\/provider-auth\/outbound\// },
  // Loaded only where traces are exported.
  { imported: /^@opentelemetry\/|open-telemetry\.ts$/, room: /^libs\/runtime\/open-telemetry\.ts$/ },
  { imported: /^@nats-io\//, room: /^(libs\/bus|deploy\/local)\// },
  {
    imported: /^(koa|@koa\/router)$/,
    room: /^(libs\/http|docs\/examples)\/|^services\/[\w-]+\/(app|.*routes?|pages?|http|token|discovery|authorization|callback|login|site-login|notices)/,
  },
  { imported: /^testing\/|^#testing$/, room: /^testing\// },
]

const sources = globSync('{libs,services,deploy,docs}/**/*.ts').filter((file) => !/\.test\.ts$|\/test\//.test(file))

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const names = [...text.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, from, bare]) => from ?? bare ?? '',
  )
  return names.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

test('every line keeps to its room: files import only what their room may know', () => {
  const strays = sources.flatMap((file) => {
    const room = rooms.find((candidate) => candidate.room.test(file))
    if (room === undefined) return []
    return importsOf(file)
      .filter((name) => !room.may.some((allowed) => allowed.test(name)))
      .map((name) => `${file} imports ${name}`)
  })
  expect(strays).toEqual([])
})

test('NATS, Koa and the testing room are known only where they belong', () => {
  const strays = sources.flatMap((file) =>
    importsOf(file).flatMap((name) =>
      only_here
        .filter(({ imported, room }) => imported.test(name) && !room.test(file))
        .map(() => `${file} imports ${name}`),
    ),
  )
  expect(strays).toEqual([])
})

test('HD-8 no service redirects by helpers of Koa, which rewrite addresses or trust the Referer', () => {
  const own = sources.filter((file) => /^(libs|services)\//.test(file))
  const strays = own.filter((file) => /\bctx\.(redirect|back)\(/.test(readFileSync(file, 'utf8')))
  expect(strays).toEqual([])
})

test('no service imports another: they meet only over the bus', () => {
  const serviceOf = (path: string) => /^services\/([\w-]+)\//.exec(path)?.[1]
  const strays = sources.flatMap((file) =>
    importsOf(file)
      .filter((name) => serviceOf(file) !== undefined && (serviceOf(name) ?? serviceOf(file)) !== serviceOf(file))
      .map((name) => `${file} imports ${name}`),
  )
  expect(strays).toEqual([])
})

test('no files import each other in a circle, not even for types', () => {
  const files = globSync('{libs,services,deploy,testing,docs,loadtest}/**/*.{ts,tsx}', {
    exclude: ['**/node_modules', '**/dist'],
  })
  const aliases: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).imports
  const fileOf = (name: string) => normalize(aliases[name] ?? name)
  const imports = new Map(files.map((file) => [file, importsOf(file).map(fileOf)]))

  const finished = new Set<string>()
  const circles: string[] = []
  const follow = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || finished.has(file)) return
    for (const imported of imports.get(file) ?? []) follow(imported, [...path, file])
    finished.add(file)
  }
  for (const file of files) follow(file, [])
  expect(circles).toEqual([])
})
