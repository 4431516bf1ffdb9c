// Only data and no schema library: the console's pages load this file.
import type { LoginProvider } from './objects/provider-settings.ts'
import type { Provider } from './providers.ts'

export { providerMark } from './provider-marks.ts'

/** Languages of all pages. */
export const languages = ['en', 'ja'] as const
export type Language = (typeof languages)[number]

type Texts = Readonly<Record<Language, string>>

/** Names of the login providers on pages. Wire names and tokens are for programs. */
export const providerDisplayNames: Readonly<Record<Provider, Texts>> = {
  messaging: { en: 'LINE', ja: 'LINE' },
  portal: { en: 'Yahoo! JAPAN', ja: 'Yahoo! JAPAN' },
  social: { en: 'Facebook', ja: 'Facebook' },
  search: { en: 'Google', ja: 'Google' },
  search_legacy: { en: 'Google (older login)', ja: 'Google（旧方式）' },
  device: { en: 'Apple', ja: 'Apple' },
  microblog: { en: 'X', ja: 'X' },
  shopping: { en: 'Rakuten', ja: '楽天' },
}

/** All of them in one language. */
export function displayNamesIn(language: Language): Readonly<Record<Provider, string>> {
  const names = Object.entries(providerDisplayNames).map(([provider, name]) => [provider, name[language]])
  // The same keys.
  return Object.fromEntries(names) as Record<Provider, string>
}

/** CSS colors. */
export interface ButtonColors {
  readonly background: string
  readonly text: string
  readonly border: string
}

/** A login button that follows the provider's brand guidelines. */
export interface LoginButton {
  /** The provider's own wording. */
  readonly label: Texts
  readonly light: ButtonColors
  readonly dark: ButtonColors
}

const line = { background: '#06c755', text: '#ffffff', border: '#06c755' }
const yahoo_japan = { background: '#ff0033', text: '#ffffff', border: '#ff0033' }
const facebook = { background: '#1877f2', text: '#ffffff', border: '#1877f2' }
const black = { background: '#000000', text: '#ffffff', border: '#000000' }
const white = { background: '#ffffff', text: '#000000', border: '#ffffff' }

export const loginButtons: Readonly<Record<LoginProvider, LoginButton>> = {
  messaging: { label: { en: 'Log in with LINE', ja: 'LINEでログイン' }, light: line, dark: line },
  portal: {
    label: { en: 'Log in with Yahoo! JAPAN ID', ja: 'Yahoo! JAPAN IDでログイン' },
    light: yahoo_japan,
    dark: yahoo_japan,
  },
  social: { label: { en: 'Continue with Facebook', ja: 'Facebookで続ける' }, light: facebook, dark: facebook },
  search: {
    label: { en: 'Sign in with Google', ja: 'Googleでログイン' },
    light: { background: '#ffffff', text: '#1f1f1f', border: '#747775' },
    dark: { background: '#131314', text: '#e3e3e3', border: '#8e918f' },
  },
  device: { label: { en: 'Sign in with Apple', ja: 'Appleでサインイン' }, light: black, dark: white },
  microblog: { label: { en: 'Sign in with X', ja: 'Xでログイン' }, light: black, dark: white },
}
