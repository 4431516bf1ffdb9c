import { Select, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useLocation } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { describeBuiltIn } from '../../parts/describe-provider.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { paths } from '../../shell/paths.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'

/** Opens the page of a provider with a new name, where it is set up. */
export function AddProvider({ site, providers }: { site: SiteReference; providers: readonly ProviderSettings[] }) {
  const { definition: t, providers: texts } = useTexts('definition', 'providers')
  const [, navigate] = useLocation()
  const check = (name: string) => {
    if (!/^[a-z][a-z0-9_]{0,30}$/.test(name)) return t.slug_invalid
    const isTaken = describeBuiltIn(name) !== undefined || providers.some(({ provider }) => provider === name)
    return isTaken ? t.slug_taken : null
  }
  return (
    <FormDialog
      label={texts.add}
      isAction
      submit={t.add_submit}
      initial={{ catalog: '', slug: '' }}
      validate={{ slug: check }}
      fields={(form) => (
        <>
          <Text size="sm">{t.add_about}</Text>
          <CatalogSelect form={form} />
          <TextInput label={t.slug} description={t.slug_hint} required maxLength={31} {...form.getInputProps('slug')} />
        </>
      )}
      save={async ({ slug, catalog }) => {
        navigate(paths.provider(site, slug) + (catalog === '' ? '' : `?catalog=${catalog}`))
        return undefined
      }}
    />
  )
}

/** The ready-made definitions. The name of the selected one is also a usual name in the API. */
function CatalogSelect({ form }: { form: UseFormReturnType<{ catalog: string; slug: string }> }) {
  const { definition: t } = useTexts('definition')
  const { language } = useLanguage()
  const { data } = useRead('listProviderCatalog', {})
  const options = (data?.providers ?? []).map(({ name, definition: { display_name } }) => ({
    value: name,
    label: display_name[language] ?? display_name.en,
  }))
  return (
    <Select
      label={t.catalog}
      description={t.catalog_hint}
      placeholder={t.catalog_other}
      data={options}
      searchable
      clearable
      {...form.getInputProps('catalog')}
      onChange={(name) => form.setValues({ catalog: name ?? '', ...(name !== null && { slug: name }) })}
    />
  )
}
