import { definitionForms } from 'virtual:contract/definition'
import { Accordion, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type ReactNode, useEffect, useState } from 'react'
import type { SiteReference } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import { ClaimFields } from './claim-fields.tsx'
import { mainEndpoints, mainFields } from './definition-fields.tsx'
import { DefinitionInput } from './definition-input.tsx'
import { useDefinitionLabel } from './definition-labels.ts'
import { endpointKey, fieldKey, scopesKey } from './definition-values.ts'
import { LookFields } from './look-fields.tsx'
import { ProfilePreview } from './profile-preview.tsx'
import type { ProviderValues } from './provider-values.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
  readonly site: SiteReference
  readonly provider: string
}

/** Shown with the claims, because they say which claim identifies the user. */
const ofProfile = ['user_id', 'user_id_is_email']

/** What differs from the standard, what becomes of claims, and the look of the login button; closed until it is needed. */
export function DefinitionDetails({ form, site, provider }: Props) {
  const { definition: t } = useTexts('definition')
  const { protocol } = form.values
  const { fields, endpoints, scopes } = definitionForms[protocol]
  const main: readonly string[] = mainFields[protocol]
  const mainAddresses: readonly string[] = mainEndpoints[protocol]
  const others = Object.keys(fields).filter((name) => !main.includes(name) && !ofProfile.includes(name))
  const addresses = endpoints.filter((name) => !mainAddresses.includes(name))
  const sections: readonly FormSection[] = [
    {
      name: 'protocol',
      has: (key) => key === 'details' || others.some((name) => fieldKey(protocol, name) === key),
      content: (
        <>
          {others.map((name) => (
            <DefinitionInput key={name} form={form} name={name} />
          ))}
          <Textarea
            label={t.details}
            description={t.details_hint}
            autosize
            minRows={1}
            maxRows={24}
            autoComplete="off"
            spellCheck={false}
            styles={{ input: { fontFamily: 'monospace' } }}
            {...form.getInputProps('details')}
          />
        </>
      ),
    },
    {
      name: 'addresses',
      has: (key) => addresses.some((name) => endpointKey(protocol, name) === key),
      content: <TextInputs form={form} keys={addresses.map((name) => endpointKey(protocol, name))} />,
    },
    {
      name: 'scopes',
      has: (key) => key.startsWith('scopes_'),
      content: <TextInputs form={form} keys={Object.keys(scopes).map((name) => scopesKey(protocol, name))} />,
    },
    {
      name: 'profile',
      has: (key) => key.startsWith('claim_') || ofProfile.some((name) => fieldKey(protocol, name) === key),
      content: (
        <>
          {ofProfile.map((name) => (
            <DefinitionInput key={name} form={form} name={name} />
          ))}
          <ClaimFields form={form} />
          <ProfilePreview form={form} site={site} provider={provider} />
        </>
      ),
    },
    { name: 'look', has: (key) => key === 'logo' || key === 'button', content: <LookFields form={form} /> },
  ]
  return <Sections sections={sections} errors={Object.keys(form.errors)} />
}

interface FormSection {
  readonly name: 'protocol' | 'addresses' | 'scopes' | 'profile' | 'look'
  /** Whether the value of a key is in it. */
  readonly has: (key: string) => boolean
  readonly content: ReactNode
}

/** Sections that are closed until they are opened or get an error; they stay open while it is corrected. */
function Sections({ sections, errors }: { sections: readonly FormSection[]; errors: readonly string[] }) {
  const { definition: t } = useTexts('definition')
  const [opened, setOpened] = useState<string[]>([])
  const wrong = sections.filter(({ has }) => errors.some(has)).map(({ name }) => name)
  const wrongNames = wrong.join(' ')
  useEffect(() => {
    if (wrongNames !== '') setOpened((before) => [...new Set([...before, ...wrongNames.split(' ')])])
  }, [wrongNames])
  return (
    <Accordion multiple variant="separated" value={opened} onChange={setOpened}>
      {sections.map(({ name, content }) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>
            {t.sections[name]}
            <Text size="xs" c="dimmed">
              {t.section_hints[name]}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>{opened.includes(name) && <Stack>{content}</Stack>}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function TextInputs({ form, keys }: { form: Props['form']; keys: readonly string[] }) {
  const getLabel = useDefinitionLabel()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {keys.map((key) => (
        <TextInput key={key} {...getLabel(key)} spellCheck={false} {...form.getInputProps(key)} />
      ))}
    </SimpleGrid>
  )
}
