import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useLanguage, useTexts } from '../texts/index.tsx'
import { type ConsoleLanguage, languageNames } from '../texts/language.ts'

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const

/** Menus for language and color scheme, stored in the browser. */
export function Preferences() {
  const { language, chooseLanguage } = useLanguage()
  const { shell: t } = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = icons[colorScheme]
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t.language}>
            <IconLanguage size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(languageNames) as ConsoleLanguage[]).map((one) => (
            <Menu.Item
              key={one}
              lang={one}
              onClick={() => chooseLanguage(one)}
              rightSection={one === language ? <IconCheck size={16} /> : null}
            >
              {languageNames[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t.theme}>
            <Icon size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(icons) as MantineColorScheme[]).map((scheme) => {
            const SchemeIcon = icons[scheme]
            return (
              <Menu.Item
                key={scheme}
                leftSection={<SchemeIcon size={16} />}
                onClick={() => setColorScheme(scheme)}
                rightSection={scheme === colorScheme ? <IconCheck size={16} /> : null}
              >
                {t.themes[scheme]}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
