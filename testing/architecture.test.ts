import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The imports of the sources of each directory, without its own: libraries by their `#` name, directories of the same service
 * or library after `~`, others by their path. `~` alone is the root directory of the service or library.
 */
const directories: Readonly<Record<string, string>> = {
  'deploy/build': 'deploy/local services/console/web',
  'deploy/chart': '#local deploy/local deploy/tools',
  'deploy/dashboards': 'deploy/monitoring',
  'deploy/image': '#local deploy/build deploy/local',
  'deploy/local':
    '#bus #contracts #database #local #runtime deploy/nats services/console/migrations services/console/web services/events/migrations services/friendship/migrations services/identity/migrations services/profile/migrations services/provider-auth/migrations',
  'deploy/nats':
    '#bus services/api-gateway services/console services/events services/friendship services/identity services/profile services/provider-auth',
  'deploy/tools': '#local deploy/local',
  'deploy/monitoring': '#runtime deploy/dashboards',
  'docs/examples': '',
  'libs/bus': '#contracts #runtime',
  'libs/contracts': '~identity ~login-providers ~objects',
  'libs/contracts/admin': '~ ~objects',
  'libs/contracts/identity': '~ ~objects',
  'libs/contracts/login-providers': '~objects',
  'libs/contracts/objects': '~ ~login-providers',
  'libs/database': '#contracts #runtime',
  'libs/http': '#contracts #runtime ~api-reference',
  'libs/http/api-reference': '~',
  'libs/http-client': '',
  'libs/messages': '',
  'libs/runtime': '~metrics',
  'libs/runtime/metrics': '',
  'services/all-in-one':
    '#bus #runtime services/api-gateway services/console services/events services/friendship services/identity services/profile services/provider-auth',
  'services/api-gateway': '#bus #contracts #http #runtime ~description ~http ~operations ~parameters ~usage',
  'services/api-gateway/description': '#contracts #http ~ ~objects ~parameters',
  'services/api-gateway/http': '#bus #contracts #http #runtime ~ ~usage',
  'services/api-gateway/objects': '#bus #contracts ~',
  'services/api-gateway/operations': '#contracts ~ ~objects ~parameters',
  'services/api-gateway/parameters': '#contracts #http',
  'services/api-gateway/usage': '#contracts #http',
  'services/console':
    '#admin-api #bus #contracts #database #http #runtime ~audit ~background ~domain ~exports ~handlers ~http ~migrations ~sign-in ~store',
  'services/console/audit': '~store',
  'services/console/background': '#contracts #runtime ~ ~domain ~store',
  'services/console/cli': '#admin-api #contracts ~ ~import-files',
  'services/console/domain': '#admin-api #contracts',
  'services/console/exports': '#admin-api #bus #contracts #runtime ~ ~store',
  'services/console/handlers': '#admin-api #bus #contracts #database #http #runtime ~ ~domain ~http ~imports ~store',
  'services/console/http': '#admin-api #bus #contracts #database #http #runtime ~ ~domain ~handlers ~store',
  'services/console/import-files': '#admin-api #contracts ~',
  'services/console/imports': '#admin-api #bus #contracts #database ~ ~handlers ~store',
  'services/console/migrations': '#database',
  'services/console/sign-in': '#admin-api #contracts #database #http #runtime ~ ~domain ~handlers ~http ~store',
  'services/console/store': '#admin-api #bus #contracts #database #runtime ~domain',
  'services/console/web': '#admin-api #contracts #messages ~import-files',
  'services/events': '#bus #contracts #database #runtime ~delivery ~handlers ~migrations ~store',
  'services/events/delivery': '#contracts #database #http #http-client #runtime ~domain ~store',
  'services/events/domain': '#contracts',
  'services/events/handlers': '#bus #contracts #database #runtime ~ ~delivery ~domain ~store',
  'services/events/migrations': '#database',
  'services/events/store': '#contracts #database #runtime ~domain',
  'services/friendship': '#bus #contracts #database #runtime ~handlers ~migrations',
  'services/friendship/handlers': '#bus #database #runtime ~',
  'services/friendship/migrations': '#database',
  'services/identity': '#bus #contracts #database #runtime ~background ~domain ~handlers ~migrations ~store',
  'services/identity/background': '#runtime ~store',
  'services/identity/domain': '#contracts',
  'services/identity/handlers': '#bus #contracts #database #runtime ~ ~domain ~store',
  'services/identity/migrations': '#database',
  'services/identity/store': '#contracts #database #runtime ~domain',
  'services/profile': '#bus #contracts #database #runtime ~domain ~handlers ~migrations ~store',
  'services/profile/domain': '#contracts',
  'services/profile/handlers': '#contracts #database #runtime ~ ~domain ~store',
  'services/profile/migrations': '#database',
  'services/profile/store': '#contracts #database ~domain',
  'services/provider-auth':
    '#bus #contracts #database #http #runtime ~authorization ~branding ~callback ~discovery ~domain ~encryption ~handlers ~http ~http-client ~login ~logout ~migrations ~native-login ~pages ~provider-revocation ~provider-webhooks ~providers ~revocation ~signing-keys ~site-login ~store ~token ~token-refresh ~usage ~user-import ~userinfo',
  'services/provider-auth/authorization':
    '#bus #contracts #database #http ~ ~branding ~domain ~http ~login ~providers ~session ~token',
  'services/provider-auth/branding': '#bus #contracts #http ~ ~domain ~http ~pages ~store',
  'services/provider-auth/callback':
    '#bus #contracts #database #http #runtime ~ ~domain ~http ~login ~provider-revocation ~providers ~session ~store ~usage',
  'services/provider-auth/discovery': '#contracts #http ~ ~domain ~http ~signing-keys',
  'services/provider-auth/domain': '#contracts',
  'services/provider-auth/encryption': '#contracts #database #runtime ~store',
  'services/provider-auth/handlers':
    '#bus #contracts #database #runtime ~ ~domain ~provider-revocation ~store ~user-import',
  'services/provider-auth/http': '#contracts #database #http',
  'services/provider-auth/http-client': '#contracts #http-client #runtime ~usage',
  'services/provider-auth/login':
    '#bus #contracts #database #http #runtime ~ ~branding ~domain ~http ~http-client ~pages ~providers ~store ~token ~usage',
  'services/provider-auth/logout':
    '#contracts #database #http #runtime ~ ~branding ~domain ~http ~login ~pages ~session ~token',
  'services/provider-auth/migrations': '#database',
  'services/provider-auth/native-login':
    '#bus #contracts #http #runtime ~ ~callback ~domain ~http ~login ~providers ~store ~token ~usage',
  'services/provider-auth/pages': '#contracts #http #messages ~branding ~http',
  'services/provider-auth/provider-revocation': '#contracts #database #runtime ~ ~providers ~store',
  'services/provider-auth/provider-webhooks':
    '#bus #contracts #database #http #runtime ~ ~branding ~domain ~http ~http-client ~pages ~providers ~store',
  'services/provider-auth/providers': '#contracts #http #runtime ~domain ~http-client',
  'services/provider-auth/revocation': '#http ~ ~domain ~http ~store ~token',
  'services/provider-auth/session': '#contracts #http #runtime ~ ~http ~store',
  'services/provider-auth/signing-keys': '#contracts #database #runtime ~ ~domain ~store',
  'services/provider-auth/site-login': '#bus #contracts #http #runtime ~ ~domain ~http ~login ~store',
  'services/provider-auth/store': '#contracts #database #runtime ~domain',
  'services/provider-auth/token': '#bus #contracts #http #runtime ~ ~domain ~http ~native-login ~store ~usage',
  'services/provider-auth/token-refresh':
    '#bus #contracts #database #runtime ~ ~domain ~provider-revocation ~providers ~store',
  'services/provider-auth/usage': '#contracts #http ~ ~domain',
  'services/provider-auth/user-import': '#bus #contracts #database ~ ~callback ~store',
  'services/provider-auth/userinfo': '#bus #contracts #http ~ ~http ~store',
  'services/provider-simulator': '#contracts #http #runtime ~providers ~scenarios',
  'services/provider-simulator/oauth': '#contracts #http #runtime ~ ~providers ~scenarios',
  'services/provider-simulator/providers': '#contracts #http #runtime ~ ~oauth ~scenarios',
  'services/provider-simulator/scenarios': '#contracts #http #runtime ~ ~providers',
}

/** The packages that each directory may import. `node:` allows Node's modules. */
const packages: Readonly<Record<string, RegExp>> = {
  'libs/contracts': /^(zod|ipaddr\.js)$/,
  'libs/runtime': /^node:|^(zod|pino|prom-client)$|^@opentelemetry\//,
  'libs/bus': /^node:|^(zod|prom-client|@nats-io\/transport-node)$/,
  'libs/database': /^node:|^(knex|pg|prom-client|zod)$/,
  'libs/http': /^node:|^(koa|@koa\/router|raw-body|cookie|ipaddr\.js|eta|prom-client)$/,
  'libs/http-client': /^node:|^(ipaddr\.js|undici)$/,
  'libs/messages': /^node:|^icu-minify/,
  'services/console/cli': /^node:|^(zod|commander|yaml|string-width|csv-stringify\/sync|standardwebhooks)$/,
  'services/console/import-files': /^(zod|papaparse|@streamparser\/json)$/,
  'services/*/domain': /^(node:crypto|node:util|zod)$/,
  'services/*/migrations': /^knex$/,
}

/** Imports that only certain files may have. */
const onlyHere: { imported: RegExp; in: RegExp }[] = [
  { imported: /^undici$/, in: /^((libs|services\/provider-auth)\/http-client|services\/events\/delivery)\// },
  { imported: /^cockatiel$/, in: /^services\/provider-auth\/http-client\// },
  // Loaded only if traces are exported.
  { imported: /^@opentelemetry\/|open-telemetry\.ts$/, in: /^libs\/runtime\/open-telemetry\.ts$/ },
  { imported: /^@nats-io\//, in: /^(libs\/bus|deploy\/local)\// },
  {
    imported: /^(koa|@koa\/router)$/,
    in: /^(libs\/http|docs\/examples)\/|^services\/[\w-]+\/(app|.*routes?|pages?|http|token|discovery|authorization|callback|login|site-login|provider-webhooks)/,
  },
  { imported: /^testing\/|^#testing$/, in: /^(testing|loadtest)\// },
]

/** What the areas of the laboratory share. */
const sharedByAreas = ['toolkit', 'seed']

const sources = globSync('{libs,services,deploy,docs}/**/*.ts', { exclude: ['**/node_modules', '**/dist'] }).filter(
  (file) => !/\.test\.ts$|\/test\//.test(file),
)

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const names = [...text.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, from, bare]) => from ?? bare ?? '',
  )
  return names.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

/** The directory, as listed in the tables, of a file. */
function directoryOf(path: string): string {
  const parts = path.split('/')
  const depth = parts[0] === 'libs' || parts[0] === 'services' ? 3 : 2
  return parts.slice(0, Math.min(depth, parts.length - 1)).join('/')
}

/** An import as listed in the table of directories; undefined for packages and the directory itself. */
function internalName(name: string, from: string): string | undefined {
  if (name.startsWith('#')) return name
  if (!/^(libs|services|deploy|testing|loadtest)\//.test(name)) return undefined
  const directory = directoryOf(name)
  const own = from.split('/').slice(0, 2).join('/')
  if (directory === from) return undefined
  return directory === own ? '~' : directory.startsWith(`${own}/`) ? `~${directory.slice(own.length + 1)}` : directory
}

test('each directory imports exactly what the table lists for it', () => {
  const imported = new Map<string, Set<string>>()
  for (const file of sources) {
    const directory = directoryOf(file)
    const names = imported.get(directory) ?? new Set()
    imported.set(directory, names)
    for (const name of importsOf(file)) {
      const internal = internalName(name, directory)
      if (internal !== undefined) names.add(internal)
    }
  }
  const found = [...imported].map(([directory, names]) => [directory, [...names].sort().join(' ')])
  expect(Object.fromEntries(found)).toEqual(directories)
})

test('directories import only the allowed packages', () => {
  const strays = sources.flatMap((file) => {
    const allowed = Object.entries(packages).find(([pattern]) => matchesGlob(file, `${pattern}/**`))?.[1]
    if (allowed === undefined) return []
    return importsOf(file)
      .filter((name) => !/^(#|libs\/|services\/)/.test(name) && !allowed.test(name))
      .map((name) => `${file} imports ${name}`)
  })
  expect(strays).toEqual([])
})

test('special packages and test set-up are imported only by the listed files', () => {
  const strays = sources.flatMap((file) =>
    importsOf(file).flatMap((name) =>
      onlyHere.filter((rule) => rule.imported.test(name) && !rule.in.test(file)).map(() => `${file} imports ${name}`),
    ),
  )
  expect(strays).toEqual([])
})

test('areas of the laboratory do not import each other; nothing outside imports them', () => {
  const areaOf = (path: string) => /^loadtest\/([\w-]+)\//.exec(path)?.[1]
  const files = globSync('{libs,services,deploy,docs,testing,loadtest}/**/*.ts', {
    exclude: ['**/node_modules', '**/dist'],
  })
  const strays = files.flatMap((file) => {
    // The test of statements runs the operations of the fault tests.
    const allowed = [areaOf(file), ...sharedByAreas, ...(areaOf(file) === 'statements' ? ['faults'] : [])]
    // A command in the root directory starts what is below.
    if (/^loadtest\/[\w-]+\.ts$/.test(file)) return []
    return importsOf(file)
      .filter(
        (name) => name.startsWith('loadtest/') && !(file.startsWith('loadtest/') && allowed.includes(areaOf(name))),
      )
      .map((name) => `${file} imports ${name}`)
  })
  expect(strays).toEqual([])
})

test('HD-8 no service redirects by helpers of Koa, which rewrite addresses or trust the Referer', () => {
  const own = sources.filter((file) => /^(libs|services)\//.test(file))
  const strays = own.filter((file) => /\bctx\.(redirect|back)\(/.test(readFileSync(file, 'utf8')))
  expect(strays).toEqual([])
})

test('no service imports another: they communicate only over the bus; all-in-one only starts them', () => {
  const serviceOf = (path: string) => /^services\/([\w-]+)\//.exec(path)?.[1]
  const separate = sources.filter((file) => serviceOf(file) !== 'all-in-one')
  const strays = separate.flatMap((file) =>
    importsOf(file)
      .filter((name) => serviceOf(file) !== undefined && (serviceOf(name) ?? serviceOf(file)) !== serviceOf(file))
      .map((name) => `${file} imports ${name}`),
  )
  expect(strays).toEqual([])
})

test('there are no circular imports, not even of types', () => {
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
