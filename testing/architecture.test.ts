import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Imports that must never exist, of code outside tests. Paths are globs; libraries have their `#` name. */
const never: readonly { readonly from: string; readonly to: string; readonly except?: string; readonly why: string }[] =
  [
    { from: 'libs/**', to: '{services,deploy,docs}/**', why: 'libraries are below all services' },
    { from: 'libs/{contracts,messages,http-client}/**', to: '#*', why: 'they import no other library' },
    { from: 'libs/runtime/**', to: '#*', why: 'the runtime imports no other library' },
    {
      from: 'libs/{bus,database,http}/**',
      to: '#{admin-api,bus,database,http,http-client,messages,webhooks,local}',
      why: 'libraries of one layer are independent',
    },
    { from: 'services/**', to: '{deploy,docs}/**', why: 'a service runs without the tools that deploy it' },
    { from: 'services/**', to: '#local', why: 'a service runs without the tools that deploy it' },
    {
      from: 'deploy/**',
      to: 'services/**',
      except: 'services/*/{bus.ts,migrations/index.ts,web/build.ts}',
      why: 'deploy reads what services declare',
    },
    { from: 'docs/**', to: '{libs,services}/**', why: 'examples use the product from outside' },
    {
      from: 'services/*/{domain,migrations}/**',
      to: 'services/*/*/**',
      except: 'services/*/{domain,migrations}/**',
      why: 'rules and migrations use nothing of their service',
    },
    {
      from: 'services/*/{domain,store}/**',
      to: '#{http,http-client,messages}',
      why: 'rules and SQL do not know how requests arrive',
    },
    {
      from: 'services/*/store/**',
      to: 'services/*/{http,handlers,pages,login,openid,upstream,delivery,background}/**',
      why: 'SQL is below its callers',
    },
    { from: 'services/*/handlers/**', to: 'services/*/{http,openid,pages}/**', why: 'handlers do not know HTTP' },
    {
      from: 'services/console/{cli,web}/**',
      to: 'services/console/*/**',
      except: 'services/console/{cli,web,import-files}/**',
      why: 'the command line and the pages use the Admin API',
    },
    {
      from: 'services/console/{cli,web}/**',
      to: '#{bus,database,http,runtime,local}',
      why: 'the command line and the pages use the Admin API',
    },
    {
      from: 'services/console/import-files/**',
      to: '{#{bus,database,http,runtime,local},services/console/{handlers,http,store,domain,imports}/**}',
      why: 'the pages read files in the browser',
    },
    {
      from: 'services/provider-auth/upstream/**',
      to: 'services/provider-auth/{login,openid}/**',
      why: 'adapters do not know whose login it is',
    },
    {
      from: 'services/provider-auth/pages/**',
      to: 'services/provider-auth/{login,openid,upstream}/**',
      why: 'pages show what they are given',
    },
    {
      from: 'services/provider-auth/{response,openid/{token,signing-keys,userinfo,discovery,revocation}}/**',
      to: 'services/provider-auth/{login,upstream}/**',
      why: 'responses and tokens do not know how a user logged in',
    },
    {
      from: 'services/provider-auth/{login,response,hosts}/**',
      to: 'services/provider-auth/{openid,account,handlers}/**',
      why: 'logins are below the endpoints that begin them',
    },
    {
      from: 'services/provider-auth/{deps.ts,usage/**,texts/**}',
      to: 'services/provider-auth/{account,handlers,hosts,login,openid,pages,response,upstream}/**',
      why: 'what all wings use is below them',
    },
    { from: 'testing/**', to: 'loadtest/**', why: 'helpers of tests are below the laboratory' },
    {
      from: '{libs,services,deploy,docs}/**',
      to: '{testing/**,#testing,loadtest/**}',
      why: 'the product does not need its tests',
    },
  ]

/** Directories that import each other, in a circle. The list may only become shorter. */
const knownCircles = [
  'services/console: web/admin web/parts web/shell web/texts',
  'services/provider-simulator: oauth providers scenarios sign-in-flow.ts simulated-user.ts',
]

/** The packages that each directory may import. `node:` allows Node's modules. */
const packages: Readonly<Record<string, RegExp>> = {
  'libs/contracts': /^(zod|ipaddr\.js)$/,
  'libs/runtime': /^node:|^(zod|pino|prom-client|ioredis)$|^@opentelemetry\//,
  'libs/bus': /^node:|^(zod|prom-client|@nats-io\/transport-node)$/,
  'libs/database': /^node:|^(knex|pg|prom-client|zod)$/,
  'libs/http': /^node:|^(koa|@koa\/router|raw-body|cookie|ipaddr\.js|eta|prom-client)$/,
  'libs/http-client': /^node:|^(ipaddr\.js|undici)$/,
  'libs/webhooks': /^(node:crypto|standardwebhooks)$/,
  'libs/messages': /^node:|^icu-minify|^@formatjs\/icu-messageformat-parser$/,
  'services/console/cli': /^node:|^(zod|commander|yaml|string-width|csv-stringify\/sync|standardwebhooks|jose)$/,
  'services/console/import-files': /^(zod|papaparse|@streamparser\/json)$/,
  // `jose` for the types of keys.
  'services/*/domain': /^(node:crypto|node:util|zod|jose)$/,
  'services/*/migrations': /^knex$/,
}

/** Imports that only certain files may have. */
const onlyHere: { imported: RegExp; in: RegExp }[] = [
  {
    imported: /^undici$/,
    in: /^(libs\/http-client|services\/provider-auth\/upstream\/http-client)\//,
  },
  { imported: /^cockatiel$/, in: /^services\/provider-auth\/upstream\/http-client\// },
  { imported: /^@opentelemetry\//, in: /^libs\/runtime\/open-telemetry\.ts$/ },
  // Dynamically, if traces are exported.
  { imported: /open-telemetry\.ts$/, in: /^libs\/runtime\/run-service\.ts$/ },
  { imported: /^@nats-io\//, in: /^(libs\/bus|deploy\/local)\// },
  {
    imported: /^(koa|@koa\/router)$/,
    in: /^(libs\/http|docs\/examples)\/|^services\/[\w-]+\/(app|.*routes?|pages?|http|openid|login|upstream\/webhooks)/,
  },
]

const all = globSync('{libs,services,deploy,testing,docs,loadtest}/**/*.{ts,tsx}', {
  exclude: ['**/node_modules', '**/dist'],
})
const sources = all.filter((file) => !/\.test\.ts$|\/test\//.test(file))
const ofProduct = sources.filter((file) => !/^(testing|loadtest)\//.test(file))

/** What a file imports, also dynamically: paths from the root directory, or names of libraries and packages. */
function importsOf(file: string, { types = true } = {}): string[] {
  const text = readFileSync(file, 'utf8')
  const pattern =
    /^(?:import|export)(?<type> type)?\b[^'"]*?from '(?<from>[^']+)'|^import '(?<bare>[^']+)'|\bimport\('(?<dynamic>[^']+)'\)/gm
  return [...text.matchAll(pattern)].flatMap(({ groups = {} }) => {
    const name = groups.from ?? groups.bare ?? groups.dynamic ?? ''
    if (groups.type !== undefined && !types) return []
    return [name.startsWith('.') ? normalize(join(dirname(file), name)) : name]
  })
}

test.each(never)('$from never imports $to: $why', ({ from, to, except }) => {
  const strays = sources
    .filter((file) => matchesGlob(file, from))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => matchesGlob(name, to) && !(except !== undefined && matchesGlob(name, except)))
        .map((name) => `${file} imports ${name}`),
    )
  expect(strays).toEqual([])
})

test('directories import only the allowed packages', () => {
  const strays = ofProduct.flatMap((file) => {
    const allowed = Object.entries(packages).find(([pattern]) => matchesGlob(file, `${pattern}/**`))?.[1]
    if (allowed === undefined) return []
    return importsOf(file)
      .filter((name) => !/^(#|libs\/|services\/)/.test(name) && !allowed.test(name))
      .map((name) => `${file} imports ${name}`)
  })
  expect(strays).toEqual([])
})

test('special packages are imported only by the listed files', () => {
  const strays = ofProduct.flatMap((file) =>
    importsOf(file).flatMap((name) =>
      onlyHere.filter((rule) => rule.imported.test(name) && !rule.in.test(file)).map(() => `${file} imports ${name}`),
    ),
  )
  expect(strays).toEqual([])
})

test('areas of the laboratory use toolkit and seed, and do not import each other', () => {
  const areaOf = (path: string) => /^loadtest\/([\w-]+)\//.exec(path)?.[1]
  const strays = all.flatMap((file) => {
    const area = areaOf(file)
    // A command in the root directory starts what is below it.
    if (area === undefined) return []
    // The test of statements runs the operations of the fault tests.
    const allowed = [area, 'toolkit', 'seed', ...(area === 'statements' ? ['faults'] : [])]
    return importsOf(file)
      .filter((name) => name.startsWith('loadtest/') && !allowed.includes(areaOf(name) ?? ''))
      .map((name) => `${file} imports ${name}`)
  })
  expect(strays).toEqual([])
})

test('no service redirects by helpers of Koa, which rewrite addresses or trust the Referer', () => {
  const own = ofProduct.filter((file) => /^(libs|services)\//.test(file))
  const strays = own.filter((file) => /\bctx\.(redirect|back)\(/.test(readFileSync(file, 'utf8')))
  expect(strays).toEqual([])
})

test('the name of an error, which logs print, is that of its class', () => {
  const classes = ofProduct
    .filter((file) => /^(libs|services)\//.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/class (\w+)(?:<[^>]*>)? extends (\w+)[^{]*\{.*\n(.*)/g),
    ])
  const parents = new Map(classes.map(([, name = '', parent = '']) => [name, parent]))
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (name === 'Error' || isError(parents.get(name)))
  const strays = classes.flatMap(([, name = '', , firstLine = '']) =>
    isError(name) && !new RegExp(`name(: string)? = '${name}'$`).test(firstLine) ? [name] : [],
  )
  expect(strays).toEqual([])
})

test('no literal is spread into another: its properties or elements stand on their own', () => {
  const spread = /(?<!\{)\.\.\.\{ ?\w|\.\.\.\[[^\][]*\](?=,|\])/g
  const strays = all.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(spread)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`)
  })
  expect(strays).toEqual([])
})

test('no service imports another: they communicate only over the bus; all-in-one only starts them', () => {
  const serviceOf = (path: string) => /^services\/([\w-]+)\//.exec(path)?.[1]
  const separate = ofProduct.filter((file) => serviceOf(file) !== 'all-in-one')
  const strays = separate.flatMap((file) =>
    importsOf(file)
      .filter((name) => serviceOf(file) !== undefined && (serviceOf(name) ?? serviceOf(file)) !== serviceOf(file))
      .map((name) => `${file} imports ${name}`),
  )
  expect(strays).toEqual([])
})

test('there are no circular imports, not even of types', () => {
  const aliases: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).imports
  const fileOf = (name: string) => normalize(aliases[name] ?? name)
  const imports = new Map(all.map((file) => [file, importsOf(file).map(fileOf)]))
  expect(findCircles(imports)).toEqual([])
})

test('directories of a service or library form layers: none imports one that imports it', () => {
  const modules = new Set(sources.map((file) => /^(?:libs|services)\/[\w-]+/.exec(file)?.[0]))
  const circles = [...modules].flatMap((module) =>
    module === undefined ? [] : findCircles(directoriesOf(module)).map((circle) => `${module}: ${circle.join(' ')}`),
  )
  expect(circles.sort()).toEqual(knownCircles)
})

/**
 * The directories of a module, and what they import. A directory counts as one with those in it, because it lists what they
 * contain and has what they share. Files in the module's root directory stand for themselves. `deps.ts` names the types
 * of all parts, for all parts.
 */
function directoriesOf(module: string): Map<string, string[]> {
  const roomOf = (file: string) => {
    const path = file.slice(module.length + 1)
    return dirname(path) === '.' ? path : dirname(path)
  }
  const isWithin = (one: string, other: string) =>
    `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
  const rooms = new Map<string, Set<string>>()
  for (const file of sources.filter((path) => path.startsWith(`${module}/`))) {
    const room = roomOf(file)
    const imports = importsOf(file, { types: basename(file) !== 'deps.ts' })
    const others = imports.filter((name) => name.startsWith(`${module}/`)).map(roomOf)
    rooms.set(room, rooms.get(room) ?? new Set())
    for (const other of others) if (!isWithin(room, other)) rooms.get(room)?.add(other)
  }
  return new Map([...rooms].map(([room, others]) => [room, [...others]]))
}

/** The groups of nodes that reach each other, sorted (Tarjan's strongly connected components of more than one node). */
function findCircles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (node: string): number => {
    const index = order.size
    order.set(node, index)
    open.push(node)
    let low = index
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === index) {
      const group = open.splice(open.indexOf(node))
      if (group.length > 1) circles.push(group.sort())
    }
    return low
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return circles
}

test('nothing but its entry and its guides names a provider of the catalog', () => {
  const names = globSync('libs/catalog/entries/*.yaml').map((file) => basename(file, '.yaml'))
  const pattern = new RegExp(`\\b(${names.join('|')})\\b`, 'i')
  // Files of other systems name their own providers, and notices the chats to which they are sent.
  const files = globSync('{services,libs}/**/*.{ts,tsx,json}', {
    exclude: [
      '**/test/**',
      '**/*.test.ts',
      'services/console/web/{dist,texts/*/configured}/**',
      'services/console/web/texts/*/notices.json',
      'services/console/notices/**',
      '**/import-files/**',
    ],
  })
  expect(names.length).toBeGreaterThan(10)
  expect(files.filter((file) => pattern.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('tests have no time limits of their own below that of all tests, which ends only what hangs', () => {
  const limitOfAll = 180_000
  const strays = all
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^ {0,2}\}, (\d+_000)\)$|^ *(?:test|describe)\b.*\{ timeout: (\d+_000) \}/gm,
        ),
      ]
        .map(([, last, option]) => Number((last ?? option)?.replaceAll('_', '')))
        .filter((limit) => limit <= limitOfAll)
        .map((limit) => `${file}: ${limit}`),
    )
  expect(strays).toEqual([])
})
