import { dirname, join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { root } from '../local/settings.ts'

/**
 * Packages that the image does not have, because nothing loads them: knex loads database drivers that are configured, and pg
 * loads pg-cloudflare in Cloudflare Workers. Every other package is part of the bundles.
 */
const absentPackages = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-cloudflare',
  'sqlite3',
  'tedious',
]

/** The chunks that programs share. As deep as the programs, so that every file of the bundles is two directories below the root. */
const sharedDirectory = 'services/shared'

/**
 * Bundles programs with their packages. What several of them need is in shared chunks.
 *
 * @param directory receives the programs, the chunks and the source maps
 * @param paths of the programs, such as `services/identity/main.js`
 * @returns the paths of all modules in the bundles
 * @throws Error if the bundler has warnings, such as an import that it cannot resolve
 */
export async function bundlePrograms(directory: string, paths: readonly string[]): Promise<readonly string[]> {
  const warnings: string[] = []
  await using bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(paths.map((path) => [path, path.replace(/\.js$/, '.ts')])),
    platform: 'node',
    external: absentPackages,
    plugins: [keepSourcePaths],
    // `depd`, a package of Koa, calls it with its own text.
    checks: { eval: false },
    onLog: (level, { message }) => void (level === 'warn' && warnings.push(message)),
  })
  const { output } = await bundle.write({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name]',
    chunkFileNames: `${sharedDirectory}/[name].js`,
    sourcemap: true,
    // The sources are in the repository, and would triple the size of the maps.
    sourcemapExcludeSources: true,
    // As if the bundle were in the repository, for stack traces: `services/identity/service.ts`.
    sourcemapPathTransform: (source, map) => join('../..', relative(root, resolve(dirname(map), source))),
    // Errors and log lines contain names of classes and functions.
    keepNames: true,
    // Node.js stores a file with any other character in two bytes for each one.
    charset: 'ascii',
    // The licenses are in a file of their own.
    comments: false,
  })
  if (warnings.length > 0) throw new Error(`The bundles have warnings.\n${warnings.join('\n')}`)
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}

/**
 * Lets our modules find files relative to their own path in the repository, although they are in a bundle: the image has
 * the files at the same paths.
 */
const keepSourcePaths: Plugin = {
  name: 'keep-source-paths',
  transform: {
    filter: {
      id: { include: [join(root, 'libs/**'), join(root, 'services/**')] },
      code: /import\.meta\.(dirname|url)/,
    },
    handler(code, module) {
      const path = `../../${relative(root, module)}`
      const changed = code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(path)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
      return { code: changed, map: null } // Lines stay the same.
    },
  },
}
