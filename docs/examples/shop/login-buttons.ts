import type { Config } from './config.ts'

/** A login button, as the login service describes it. */
export interface LoginButton {
  readonly provider: string
  /** The provider's display name. */
  readonly name: string
  /** The button's text. */
  readonly label: string
  /** For the service's stylesheet: `class="login-button <class>"`. */
  readonly class: string
  readonly authorization_endpoint: string
}

/** Loads the login buttons, in the order and with the names that are configured for the site in the console. */
export async function listLoginButtons({ auth_url, client_id }: Config): Promise<readonly LoginButton[]> {
  const query = new URLSearchParams({ client_id, ui_locales: 'en' })
  const response = await fetch(`${auth_url}/oauth2/login-buttons?${query}`, { signal: AbortSignal.timeout(3_000) })
  if (!response.ok) throw new Error(`The login buttons could not be loaded: HTTP ${response.status}. Check CLIENT_ID.`)
  // The shop trusts its own login service.
  const { login_buttons } = (await response.json()) as { login_buttons: readonly LoginButton[] }
  return login_buttons
}

/** The address of the stylesheet with the providers' own button styles and marks. */
export function buttonStylesheet({ auth_url }: Config): string {
  return `${auth_url}/oauth2/login-buttons.css`
}
