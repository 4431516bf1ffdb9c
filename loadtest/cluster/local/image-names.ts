/** Names of the images that the check makes. No registry has them. */
export const registry = 'localhost'
export const tag = 'check'
export const pauseImage = `${registry}/pause:${tag}`
export const dnsImage = `${registry}/coredns:${tag}`
export const productImage = `${registry}/social-login:${tag}`
export const serverImages = {
  postgres: `${registry}/postgres:${tag}`,
  valkey: `${registry}/valkey:${tag}`,
  nats: `${registry}/nats:${tag}`,
} as const
