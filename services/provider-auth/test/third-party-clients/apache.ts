import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChildError, findFreePort, findPrograms, startChild } from '#local'

const modules = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules'].find((folder) =>
  existsSync(join(folder, 'mod_auth_openidc.so')),
)
const [program] = await findPrograms('apache')

/** Why Apache cannot run on this machine, for test titles; undefined if it can. */
export const apacheMissing =
  program === undefined || modules === undefined ? ' (not installed; Debian: libapache2-mod-auth-openidc)' : undefined

interface Application {
  readonly port: number
  readonly response_type: 'code' | 'id_token'
  /** Absent: the default of the response type. */
  readonly response_mode?: 'form_post' | undefined
  readonly client: { readonly client_id: string; readonly client_secret: string }
  /** The URL of our metadata, or of a proxy's. */
  readonly metadata_url: string
}

/** The callback of mod_auth_openidc. */
export const apacheCallback = (port: number) => `http://localhost:${port}/callback`

/** Apache with mod_auth_openidc for all paths; response headers contain the logged-in user. Disposing stops it. */
export async function startApache(application: Application): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-apache-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'public'))
  await writeFile(join(directory, 'public/index.html'), 'welcome')
  await writeFile(join(directory, 'apache.conf'), configurationOf(directory, application))
  const child = await startChild({
    title: 'Apache',
    command: program?.path ?? '',
    args: ['-D', 'FOREGROUND', '-f', join(directory, 'apache.conf')],
    log: join(directory, 'apache.log'),
    pidFile: join(directory, 'child.pid'),
    environment: {},
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    stopsWithParentBy: 'watcher',
  })
  starting.defer(child.stop)
  while (!(await isListening(application.port)))
    if (child.ended() !== undefined) throw createChildError(child, 'Apache', 'ended instead of starting')
  const stack = starting.move()
  return { [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A free port for Apache, because its callback URL is registered before it starts. */
export const apachePort = findFreePort

function configurationOf(directory: string, application: Application): string {
  const { port, response_type, response_mode, client, metadata_url } = application
  return `
ServerName localhost
ServerRoot "${directory}"
Listen 127.0.0.1:${port}
PidFile "${directory}/apache.pid"
DefaultRuntimeDir "${directory}"
ErrorLog "${directory}/apache.log"
DocumentRoot "${directory}/public"
${process.getuid?.() === 0 ? 'User nobody' : ''}
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authn_core_module ${modules}/mod_authn_core.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule authz_user_module ${modules}/mod_authz_user.so
LoadModule dir_module ${modules}/mod_dir.so
LoadModule headers_module ${modules}/mod_headers.so
LoadModule auth_openidc_module ${modules}/mod_auth_openidc.so

OIDCProviderMetadataURL ${metadata_url}
OIDCProviderTokenEndpointAuth client_secret_basic
OIDCResponseType ${response_type}
${response_type === 'code' ? 'OIDCPKCEMethod S256' : ''}
${response_mode === undefined ? '' : `OIDCResponseMode ${response_mode}`}
OIDCClientID ${client.client_id}
OIDCClientSecret ${client.client_secret}
OIDCRedirectURI ${apacheCallback(port)}
OIDCScope "openid profile"
OIDCCryptoPassphrase ${crypto.randomUUID()}
OIDCPassClaimsAs environment
# Requests without a login are redirected, also those whose Sec-Fetch-Mode is not a browser's.
OIDCUnAuthAction auth true

<Location />
  AuthType openid-connect
  Require valid-user
  Header set X-Sub "%{OIDC_CLAIM_sub}e"
  Header set X-Name "%{OIDC_CLAIM_name}e"
</Location>
`
}

async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://localhost:${port}/`, { redirect: 'manual' })
    return true
  } catch {
    return false
  }
}
