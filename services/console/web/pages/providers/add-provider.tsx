import { Text, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { describeBuiltIn } from '../../parts/describe-provider.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

/** Opens the page of a provider with a new name, where it is set up. */
export function AddProvider({ site, providers }: { site: SiteReference; providers: readonly ProviderSettings[] }) {
  const { definition: t } = useTexts('definition')
  const [, navigate] = useLocation()
  const check = (name: string) => {
    if (!/^[a-z][a-z0-9_]{0,30}$/.test(name)) return t.slug_invalid
    const isTaken = describeBuiltIn(name) !== undefined || providers.some(({ provider }) => provider === name)
    return isTaken ? t.slug_taken : null
  }
  return (
    <FormDialog
      label={t.add}
      submit={t.add_submit}
      initial={{ slug: '' }}
      validate={{ slug: check }}
      fields={(form) => (
        <>
          <Text size="sm">{t.add_about}</Text>
          <TextInput label={t.slug} description={t.slug_hint} required maxLength={31} {...form.getInputProps('slug')} />
        </>
      )}
      save={async ({ slug }) => {
        navigate(paths.provider(site, slug))
        return undefined
      }}
    />
  )
}
