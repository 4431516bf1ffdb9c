import type { LoginProvider } from '../admin/types.ts'
import { describeLogin } from './describe-provider.ts'

/** The mark of providers that sites configured. */
const key = {
  path: 'M8 5a6 6 0 1 0 5.66 8H17v3h3v-3h2.5v-3h-8.84A6 6 0 0 0 8 5zm0 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
}

/** A login provider's official logo, in the color of the surrounding text where it has one color. */
export function ProviderMark({ provider, size = 18 }: { provider: LoginProvider; size?: number }) {
  const logo = describeLogin(provider)?.logo ?? key
  const style = { verticalAlign: 'text-bottom' }
  if ('path' in logo) {
    return (
      <svg aria-hidden width={size} height={size} style={style} viewBox="0 0 24 24">
        <path fill="currentColor" d={logo.path} />
      </svg>
    )
  }
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      style={style}
      viewBox="0 0 48 48"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
      dangerouslySetInnerHTML={{ __html: logo.elements }}
    />
  )
}
