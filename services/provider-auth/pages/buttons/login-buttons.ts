import { hash } from 'node:crypto'
import {
  type ButtonColors,
  builtInLoginProviders,
  configuredButton,
  configuredName,
  type LoginProvider,
  loginProviderDescriptions,
  logoSvg,
  type ProviderDefinition,
} from '#contracts'

/** The path of a provider's logo for light or dark pages; those that sites configured have one in common. */
function logoPath(provider: LoginProvider | typeof configuredName, theme: 'light' | 'dark'): string {
  return `/oauth2/login-buttons/${provider}-${theme}.svg`
}

/** The logos by path. */
export const logosByPath: ReadonlyMap<string, string> = new Map(
  (['light', 'dark'] as const).flatMap((theme): [string, string][] => [
    ...builtInLoginProviders.map((provider): [string, string] => {
      const { logo, button } = loginProviderDescriptions[provider]
      return [logoPath(provider, theme), logoSvg(logo, button[theme].text)]
    }),
    [logoPath(configuredName, theme), logoSvg(configuredButton.logo, configuredButton[theme].text)],
  ]),
)

export const buttonsStylesheetPath = '/oauth2/login-buttons.css'

/** The styles of login buttons: `<a class="login-button messaging" href="…">Log in with LINE</a>`. */
export const buttonsStylesheet = `
.login-button {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 0.625rem;
  box-sizing: border-box;
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid;
  border-radius: 0.375rem;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans JP", sans-serif;
  font-size: 1rem;
  font-weight: 600;
  line-height: 1.4;
  text-align: center;
  text-decoration: none;
  text-wrap: balance;
  word-break: auto-phrase;
  overflow-wrap: anywhere;
}
.login-button::before {
  content: "";
  flex: none;
  width: 1.25rem;
  height: 1.25rem;
  background: center / contain no-repeat var(--mark);
}
.login-button:hover {
  filter: brightness(0.94);
}
.login-button:focus-visible {
  outline: 3px solid #1a73e8;
  outline-offset: 2px;
}
${stylesOf('light')}
@media (prefers-color-scheme: dark) {
${stylesOf('dark')}
}
`

function stylesOf(theme: 'light' | 'dark'): string {
  const rules = builtInLoginProviders.map((provider) => {
    const colors = loginProviderDescriptions[provider].button[theme]
    return ruleOf(`.login-button.${provider}`, colors, logoPath(provider, theme))
  })
  return [ruleOf('.login-button', configuredButton[theme], logoPath(configuredName, theme)), ...rules].join('\n')
}

/** A provider that a site configured, with the look that the site gave it. */
interface ConfiguredLook {
  readonly provider: LoginProvider
  readonly login_provider_identifier: string
  readonly definition: Pick<ProviderDefinition, 'logo' | 'button'>
}

/** The path of a configured provider's logo; a changed logo has another one, so that it can be cached. */
function configuredLogoPath(identifier: string, logo: string): string {
  return `${configuredLogosPath}/${identifier}?v=${hash('sha256', logo).slice(0, 12)}`
}

export const configuredLogosPath = '/oauth2/login-buttons/logos'

/** The styles of providers that a site configured, after those of all others. */
export function stylesOfConfigured(looks: readonly ConfiguredLook[]): string {
  const rulesOf = (theme: 'light' | 'dark') =>
    looks
      .map(({ provider, login_provider_identifier: identifier, definition: { logo, button } }) => {
        const { background, text, border = background } = button?.[theme] ?? button?.light ?? configuredButton[theme]
        const mark = logo === undefined ? logoPath(configuredName, theme) : configuredLogoPath(identifier, logo)
        return ruleOf(`.login-button.${provider}`, { background, text, border }, mark)
      })
      .join('\n')
  return `${rulesOf('light')}\n@media (prefers-color-scheme: dark) {\n${rulesOf('dark')}\n}\n`
}

function ruleOf(selector: string, { background, text, border }: ButtonColors, mark: string): string {
  return `${selector} { --mark: url("${mark}"); background: ${background}; color: ${text}; border-color: ${border}; }`
}
