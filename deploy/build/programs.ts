/** The programs of the image by service. `services/<service>/<program>.js` is built from the `.ts` file of the same name. */
export const programs: Readonly<Record<string, readonly string[]>> = {
  'all-in-one': ['main'],
  'api-gateway': ['main'],
  console: ['main', 'migrate', 'invite-operator', 'issue-operator-token'],
  events: ['main', 'migrate', 'encryption'],
  friendship: ['main', 'migrate'],
  identity: ['main', 'migrate'],
  profile: ['main', 'migrate', 'encryption'],
  'provider-auth': ['main', 'migrate', 'encryption', 'rotate-keys'],
  'provider-simulator': ['main'],
}

/** The paths of all programs in the image, relative to its directory `/app`. */
export const programPaths: readonly string[] = Object.entries(programs).flatMap(([service, names]) =>
  names.map((name) => `services/${service}/${name}.js`),
)

/** Threads of programs, which the image has as files of their own. They are built like programs, and need no settings. */
export const threadPaths: readonly string[] = ['services/console/picture-worker.js']

/** Whether the program printed which settings are missing, or how to use it. */
export function missesSettings(path: string, output: string): boolean {
  const [, service, program] = path.split(/[/.]/)
  const isPrefixed = [service, program].some((name) => output.startsWith(`${name}: `))
  return output.startsWith(`usage: ${program} `) || (isPrefixed && output.includes('is missing'))
}

/** What the programs read as files, relative to the repository; the image has them at the same paths. */
export const readFiles = [
  'libs/catalog/entries/*.yaml',
  'libs/http/api-reference/{page.eta,start.js,icon.svg}',
  'services/{provider-auth,provider-simulator}/pages/*.{eta,css}',
  'services/console/web/dist/{*.*,assets/*}',
] as const

/** The script of the API reference, which its package has bundled. */
export const apiReferenceScript = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'
