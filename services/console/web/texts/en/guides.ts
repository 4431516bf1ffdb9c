import { once } from '../once.ts'

/** The texts about each login provider. Only those of the provider shown are loaded. */
export const guides = {
  messaging: once(() => import('./providers/messaging.json')),
  portal: once(() => import('./providers/portal.json')),
  social: once(() => import('./providers/social.json')),
  search: once(() => import('./providers/search.json')),
  device: once(() => import('./providers/device.json')),
  microblog: once(() => import('./providers/microblog.json')),
}

type GuideOf = { [P in keyof typeof guides]: Awaited<ReturnType<(typeof guides)[P]>>['default'] }

/** Loads the texts about each login provider in one language. */
export type Guides = { readonly [P in keyof GuideOf]: () => Promise<{ readonly default: GuideOf[P] }> }
