import { loginProviderDescriptions, logoSvg } from '#login-providers'
import type { LoginProvider } from '../admin/types.ts'

/** A login provider's official mark, in the color of the surrounding text. */
export function ProviderMark({ provider, size = 18 }: { provider: LoginProvider; size?: number }) {
  return (
    <span
      aria-hidden
      style={{ display: 'inline-block', width: size, height: size, verticalAlign: 'text-bottom' }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
      dangerouslySetInnerHTML={{ __html: logoSvg(loginProviderDescriptions[provider].logo, 'currentColor') }}
    />
  )
}
