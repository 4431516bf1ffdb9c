import { settled } from './settled.ts'
import { type SharedStack, startStack } from './stack.ts'

let shared: Promise<SharedStack> | undefined
let settling: Promise<void> | undefined

/**
 * Returns the stack that the test files of a worker share, each with its own accounts and sites. It stops with the worker.
 * For tests that stop no service, change no settings, and do not depend on data of other sites. Gateways and provider-auth
 * read the caller's address from `X-Forwarded-For`. The work that earlier files started has ended.
 */
export async function sharedStack(): Promise<SharedStack> {
  const behindProxy = { TRUSTED_PROXY_HOPS: '1' }
  shared ??= startStack({
    gatewayEnvironment: behindProxy,
    providerAuthEnvironment: behindProxy,
  }).then(({ [Symbol.asyncDispose]: _, ...serviceStack }) => serviceStack)
  const serviceStack = await shared
  // Once for callers at the same time: each look opens connections.
  settling ??= settled(serviceStack).finally(() => {
    settling = undefined
  })
  await settling
  return serviceStack
}
