/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type ConsoleLanguage, getLanguage, languageNames } from '../texts/language.ts'
import { colorSchemes, readColorScheme, storeColorScheme } from './color-scheme.ts'
import { Icon, type IconName } from './icons.tsx'
import { useSignInLanguage, useSignInTexts } from './texts.tsx'

// The keys of the names are the languages.
const languages = Object.keys(languageNames) as ConsoleLanguage[]
const schemeIcons = { light: 'sun', dark: 'moon', auto: 'desktop' } as const

/** Choices of language and color scheme, stored in the browser for all pages of the console. */
export function PagePreferences() {
  const { chooseLanguage } = useSignInLanguage()
  const { shell: t } = useSignInTexts()
  const [scheme, setScheme] = useState(readColorScheme)
  return (
    <div class="preferences">
      <IconChoice label={t.language} icon="language" value={getLanguage()} values={languages} choose={chooseLanguage}>
        {languages.map((language) => (
          <option key={language} value={language} lang={language}>
            {languageNames[language]}
          </option>
        ))}
      </IconChoice>
      <IconChoice
        label={t.theme}
        icon={schemeIcons[scheme]}
        value={scheme}
        values={colorSchemes}
        choose={(chosen) => {
          storeColorScheme(chosen)
          setScheme(chosen)
        }}
      >
        {colorSchemes.map((one) => (
          <option key={one} value={one}>
            {t.themes[one]}
          </option>
        ))}
      </IconChoice>
    </div>
  )
}

interface IconChoiceProps<V extends string> {
  readonly label: string
  readonly icon: IconName
  readonly value: V
  readonly values: readonly V[]
  readonly choose: (value: V) => void
  /** An option for each value. */
  readonly children: ComponentChildren
}

/** An icon that opens the browser's own list, which works with the keyboard, screen readers and phones. */
function IconChoice<V extends string>({ label, icon, value, values, choose, children }: IconChoiceProps<V>) {
  return (
    <span class="icon-choice" title={label}>
      <Icon name={icon} size={18} />
      <select
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = values.find((one) => one === currentTarget.value)
          if (chosen !== undefined) choose(chosen)
        }}
      >
        {children}
      </select>
    </span>
  )
}
