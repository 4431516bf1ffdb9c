export const colorSchemes = ['light', 'dark', 'auto'] as const
export type ColorScheme = (typeof colorSchemes)[number]

/** Mantine, which the other pages use, stores the choice with this key. `color-scheme.js` reads it before the first paint. */
const storageKey = 'mantine-color-scheme-value'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

export function readColorScheme(): ColorScheme {
  const stored = localStorage.getItem(storageKey)
  return colorSchemes.find((scheme) => scheme === stored) ?? 'auto'
}

export function storeColorScheme(scheme: ColorScheme): void {
  localStorage.setItem(storageKey, scheme)
  applyColorScheme()
}

/** Follows the system while no scheme is chosen. */
export function followColorScheme(): void {
  systemIsDark.addEventListener('change', applyColorScheme)
}

function applyColorScheme(): void {
  const chosen = readColorScheme()
  const system = systemIsDark.matches ? 'dark' : 'light'
  document.documentElement.dataset.mantineColorScheme = chosen === 'auto' ? system : chosen
}
