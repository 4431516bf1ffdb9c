import { type SharedStack, startStack } from './stack.ts'

let shared: Promise<SharedStack> | undefined

/**
 * Returns the stack that the test files of a worker share, each with its own accounts and sites. It stops with the worker.
 * For tests that stop no service, change no settings, and do not depend on data of other sites. Gateways and provider-auth
 * read the caller's address from `X-Forwarded-For`.
 */
export function sharedStack(): Promise<SharedStack> {
  const behindProxy = { TRUSTED_PROXY_HOPS: '1' }
  shared ??= startStack({
    gatewayEnvironment: behindProxy,
    providerAuthEnvironment: behindProxy,
  }).then(({ [Symbol.asyncDispose]: _, ...serviceStack }) => serviceStack)
  return shared
}
