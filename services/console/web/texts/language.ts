export const languageNames = { en: 'English', ja: '日本語' } as const
export type ConsoleLanguage = keyof typeof languageNames

const storageKey = 'console-language'

let current = getPreferredLanguage()
document.documentElement.lang = current

/** The language of the page: at first the stored language, or else the browser's. */
export const getLanguage = (): ConsoleLanguage => current

/** Changes the language of the page and stores it in the browser. */
export function storeLanguage(language: ConsoleLanguage): void {
  current = language
  document.documentElement.lang = language
  localStorage.setItem(storageKey, language)
}

function getPreferredLanguage(): ConsoleLanguage {
  const chosen = localStorage.getItem(storageKey)
  if (chosen === 'en' || chosen === 'ja') return chosen
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}
