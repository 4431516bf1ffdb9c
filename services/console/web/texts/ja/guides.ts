import type { Guides } from '../en/guides.ts'
import { once } from '../once.ts'

export const guides: Guides = {
  messaging: once(() => import('./providers/messaging.json')),
  portal: once(() => import('./providers/portal.json')),
  social: once(() => import('./providers/social.json')),
  search: once(() => import('./providers/search.json')),
  device: once(() => import('./providers/device.json')),
  microblog: once(() => import('./providers/microblog.json')),
}
