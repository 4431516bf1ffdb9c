import { Checkbox, Radio, Select, SimpleGrid, Stack, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Client } from '../../admin/types.ts'
import { NameField } from '../../parts/name-field.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useChecks } from '../checks.ts'

export interface ClientValues extends Record<string, unknown> {
  kind: Client['kind']
  name: string
  /** One on each line. */
  redirect_uris: string
  response_types: Client['response_types']
  pkce: Client['pkce']
  id_token_alg: Client['id_token_alg']
}

export function clientValues(client: Client): ClientValues {
  const { kind, name, redirect_uris, response_types, pkce, id_token_alg } = client
  return { kind, name, redirect_uris: redirect_uris.join('\n'), response_types, pkce, id_token_alg }
}

export const newClient: ClientValues = {
  kind: 'confidential',
  name: '',
  redirect_uris: '',
  response_types: ['code'],
  pkce: 'S256',
  id_token_alg: 'RS256',
}

export function useClientChecks() {
  const { clients: t } = useTexts()
  const check = useChecks()
  return {
    name: check.title,
    redirect_uris: check.some,
    response_types: (chosen: ClientValues['response_types']) => (chosen.length === 0 ? t.some_flow : null),
  }
}

/** What a client is told; which kind it is, at its making alone. */
export function ClientFields({ form, create = false }: { form: UseFormReturnType<ClientValues>; create?: boolean }) {
  const { clients: t } = useTexts()
  return (
    <>
      <NameField description={t.name_hint} {...form.getInputProps('name')} />
      {create && (
        <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            <Radio value="confidential" label={t.kinds.confidential} description={t.confidential_says} />
            <Radio value="public" label={t.kinds.public} description={t.public_says} />
          </Stack>
        </Radio.Group>
      )}
      <Textarea
        label={t.callbacks}
        description={t.callbacks_hint}
        placeholder="https://www.example.com/login/callback"
        autosize
        minRows={3}
        maxRows={12}
        required
        styles={{ input: { fontFamily: 'monospace', overflowX: 'auto', whiteSpace: 'pre' } }}
        {...form.getInputProps('redirect_uris')}
      />
      <details>
        <summary>{t.rules}</summary>
        <ul>
          {t.rules_list.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </details>
      <Checkbox.Group label={t.flows} {...form.getInputProps('response_types')}>
        <Stack gap="xs" mt={6}>
          <Checkbox value="code" label={t.flow_code} />
          <Checkbox value="id_token" label={t.flow_id_token} />
        </Stack>
      </Checkbox.Group>
      <SimpleGrid cols={create ? 1 : { base: 1, sm: 2 }}>
        <Select
          label="PKCE"
          description={t.pkce_hint}
          allowDeselect={false}
          data={(['optional', 'required', 'S256'] as const).map((value) => ({ value, label: t.pkce[value] }))}
          {...form.getInputProps('pkce')}
        />
        <Select
          label={t.id_token_alg}
          description={t.id_token_alg_hint}
          allowDeselect={false}
          data={['RS256', 'ES256']}
          {...form.getInputProps('id_token_alg')}
        />
      </SimpleGrid>
    </>
  )
}
