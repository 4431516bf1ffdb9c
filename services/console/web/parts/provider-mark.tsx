import { configured } from 'virtual:contract/providers'
import type { LoginProvider } from '../admin/types.ts'
import { describeLogin } from './describe-provider.ts'

/** A login provider's official logo, in the color of the surrounding text where it has one color. */
export function ProviderMark({ provider, size = 18 }: { provider: LoginProvider; size?: number }) {
  const { logo } = describeLogin(provider) ?? configured
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
