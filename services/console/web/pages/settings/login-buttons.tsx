import { ActionIcon, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { call } from '../../admin/call.ts'
import { mutate } from '../../admin/queries.ts'
import type { LoginProvider, Site } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { describeBuiltIn } from '../../parts/describe-provider.ts'
import { Section } from '../../parts/page.tsx'
import { ProviderMark } from '../../parts/provider-mark.tsx'
import { useNameProvider, useSiteProviders } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'

const maxCharacters = 40

const languages = ['en', 'ja'] as const

/** The field of a button's name. One field for each name, so that concurrent changes to other names are preserved. */
type NameField = `${LoginProvider}_${(typeof languages)[number]}`

type Values = {
  /** Every login provider once. */
  order: LoginProvider[]
  /** Empty: the official label. */
} & Record<NameField, string>

/** Every login provider once: those in the site's order, then the others. */
function listProviders({ provider_order, provider_names }: Site, logins: readonly LoginProvider[]): LoginProvider[] {
  return [...new Set([...provider_order, ...logins, ...Object.keys(provider_names)])]
}

/** The fields of all names. */
function listNameFields(providers: readonly LoginProvider[]) {
  return providers.flatMap((provider) =>
    languages.map((language) => ({ provider, language, field: `${provider}_${language}` as const })),
  )
}

function toVersion(site: Site, logins: readonly LoginProvider[]): { values: Values; revision: number } {
  const { provider_names, revision } = site
  const order = listProviders(site, logins)
  const names = listNameFields(order).map(({ provider, language, field }) => [
    field,
    provider_names[provider]?.[language] ?? '',
  ])
  // Has an entry for every field.
  return {
    values: { order, ...(Object.fromEntries(names) as Record<NameField, string>) },
    revision,
  }
}

/** Names in languages that have no field stay. */
function toSettings(values: Values, before: Site): Pick<Site, 'provider_order' | 'provider_names'> {
  const providerNames: Site['provider_names'] = {}
  for (const provider of values.order) {
    const fields = listNameFields([provider])
    const shown = Object.fromEntries(fields.map(({ language, field }) => [language, values[field]?.trim() ?? '']))
    const names = Object.entries({ ...before.provider_names[provider], ...shown }).filter(([, name]) => name !== '')
    if (names.length > 0) providerNames[provider] = Object.fromEntries(names)
  }
  return { provider_order: values.order, provider_names: providerNames }
}

/** Order and names of a site's login buttons. */
export function LoginButtons(props: Omit<Props, 'logins'>) {
  const providers = useSiteProviders()
  return providers && <LoginButtonsForm {...props} logins={providers.logins} />
}

interface Props {
  readonly site: Site
  readonly logins: readonly LoginProvider[]
  readonly readonly: boolean
}

function LoginButtonsForm({ site, logins, readonly }: Props) {
  const { settings: t } = useTexts('settings')
  const nameProvider = useNameProvider()
  const { account, site_id } = site
  const form = useForm<Values>({ initialValues: toVersion(site, logins).values })
  const { order } = form.values

  const save = async (values: Values, revision: number) =>
    toVersion(await mutate('changeSite', { account, site_id, ...toSettings(values, site) }, { revision }), logins)
  const labels = listNameFields(order).map(({ provider, language, field }) => [
    field,
    `${nameProvider(provider)} – ${t.button_name[language]}`,
  ])
  const move = (from: number, to: number) => {
    const provider = order[from]
    if (provider !== undefined) form.setFieldValue('order', order.toSpliced(from, 1).toSpliced(to, 0, provider))
  }

  return (
    <Section title={t.headings.login_buttons} about={t.login_buttons_about}>
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => toVersion(await call('readSite', { account, site_id }), logins)}
        labels={{ order: t.button_order, ...Object.fromEntries(labels) }}
        readonly={readonly}
      >
        <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {order.map((provider, position) => (
            <Paper component="li" key={provider} withBorder p="sm">
              <Group justify="space-between" align="flex-start" wrap="nowrap">
                <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
                  <Text fw={500}>
                    <ProviderMark provider={provider} /> {nameProvider(provider)}
                  </Text>
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    {languages.map((language) => (
                      <TextInput
                        key={language}
                        label={t.button_name[language]}
                        placeholder={describeBuiltIn(provider)?.displayName[language] ?? provider}
                        maxLength={maxCharacters}
                        readOnly={readonly}
                        {...form.getInputProps(`${provider}_${language}`)}
                      />
                    ))}
                  </SimpleGrid>
                </Stack>
                {!readonly && (
                  <Group gap={4} wrap="nowrap">
                    <ActionIcon
                      variant="default"
                      size="lg"
                      disabled={position === 0}
                      aria-label={t.move_up({ provider: nameProvider(provider) })}
                      onClick={() => move(position, position - 1)}
                    >
                      <IconArrowUp size={18} />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      size="lg"
                      disabled={position === order.length - 1}
                      aria-label={t.move_down({ provider: nameProvider(provider) })}
                      onClick={() => move(position, position + 1)}
                    >
                      <IconArrowDown size={18} />
                    </ActionIcon>
                  </Group>
                )}
              </Group>
            </Paper>
          ))}
        </Stack>
      </ChangeForm>
    </Section>
  )
}
