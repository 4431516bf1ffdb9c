import {
  type DnsServer,
  registerAtSimulator,
  resolveLocalHosts,
  type SeededSite,
  type ServiceStack,
  type StackOptions,
  startDnsServer,
  startStack,
} from '#testing'

/** Starts a stack for tests of hosts: names below `localhost` lead to it, and it looks for proofs in the returned DNS. */
export async function startHostStack(
  stack: AsyncDisposableStack,
  options: StackOptions = {},
): Promise<{ serviceStack: ServiceStack; dns: DnsServer }> {
  stack.use(resolveLocalHosts())
  const dns = stack.use(await startDnsServer())
  const providerAuthEnvironment = { HOST_PROOF_DNS_SERVERS: dns.address, ...options.providerAuthEnvironment }
  return { dns, serviceStack: stack.use(await startStack({ ...options, providerAuthEnvironment })) }
}

/** The issuer on a host of a site in tests: with the port of the stack. */
export function issuerAt({ auth }: Pick<ServiceStack, 'auth'>, host: string): string {
  return `http://${host}:${new URL(auth).port}`
}

/** Claims a host for a site, proves it in the DNS and checks it. */
export async function proveHost(
  { provider_auth, call }: Pick<ServiceStack, 'provider_auth' | 'call'>,
  dns: Pick<DnsServer, 'setTxt'>,
  { site, account, site_id }: SeededSite,
  host: string,
  purpose: 'login' | 'api' = 'login',
) {
  const names = { site, account, site_id }
  const { hosts } = await provider_auth.addHost({ ...names, host, purpose }, call())
  const claim = hosts.find((one) => one.host === host)
  if (claim === undefined) throw new Error(`The claim of ${host} is missing.`)
  dns.setTxt(claim.txt_name, [claim.txt_value])
  return provider_auth.checkHost({ ...names, host }, call())
}

/** The same site with addresses on another issuer. */
export function moveTo(site: SeededSite, issuer: string): SeededSite {
  const move = (address: string) => address.replace(new URL(address).origin, issuer)
  const providers = Object.fromEntries(
    Object.entries(site.providers).map(([name, provider]) => [
      name,
      { ...provider, authorize_uri: move(provider.authorize_uri), provider_callback: move(provider.provider_callback) },
    ]),
    // The same names.
  ) as SeededSite['providers']
  return { ...site, providers }
}

/** Registers the callback of the messaging provider on another issuer. */
export async function registerCallback(
  { simulator }: Pick<ServiceStack, 'simulator'>,
  site: SeededSite,
  issuer: string,
): Promise<void> {
  const { client_id, client_secret, provider_callback } = site.providers.messaging
  await registerAtSimulator(simulator, {
    provider: 'messaging',
    client_id,
    client_secret,
    redirect_uris: [provider_callback, moveTo(site, issuer).providers.messaging.provider_callback],
    official_account: true,
  })
}
