import { Checkbox, Radio, Select, SimpleGrid, Stack, Textarea, type TextareaProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Client } from '../../admin/types.ts'
import { NameField } from '../../parts/name-field.tsx'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { splitLines, useValidators } from '../validators.ts'

export interface ClientValues extends Record<string, unknown> {
  kind: Client['kind']
  name: string
  /** One per line. */
  redirect_uris: string
  /** One per line. */
  post_logout_redirect_uris: string
  callback_by_domain: boolean
  token_exchange: boolean
  metadata_claims: Client['metadata_claims']
  consents_claim: boolean
  user_metadata_write: boolean
  response_types: Client['response_types']
  pkce: Client['pkce']
  id_token_alg: Client['id_token_alg']
}

export function toClientValues(client: Client): ClientValues {
  const { kind, name, redirect_uris, post_logout_redirect_uris, response_types, pkce, id_token_alg } = client
  const addresses = {
    redirect_uris: redirect_uris.join('\n'),
    post_logout_redirect_uris: post_logout_redirect_uris.join('\n'),
    callback_by_domain: client.callback_by_domain,
    token_exchange: client.token_exchange,
    metadata_claims: client.metadata_claims,
    consents_claim: client.consents_claim,
    user_metadata_write: client.user_metadata_write,
  }
  return { kind, name, ...addresses, response_types, pkce, id_token_alg }
}

export const newClient: ClientValues = {
  kind: 'confidential',
  name: '',
  redirect_uris: '',
  post_logout_redirect_uris: '',
  callback_by_domain: false,
  token_exchange: false,
  metadata_claims: [],
  consents_claim: false,
  user_metadata_write: false,
  response_types: ['code'],
  pkce: 'S256',
  id_token_alg: 'RS256',
}

export function useClientValidators() {
  const { clients: t } = useTexts('clients')
  const check = useValidators()
  return {
    name: check.title,
    redirect_uris: check.some,
    response_types: (chosen: ClientValues['response_types']) => (chosen.length === 0 ? t.some_flow : null),
  }
}

/** Converts the address fields to the lists of the Admin API. */
export function parseAddressFields({
  redirect_uris,
  post_logout_redirect_uris,
}: Pick<ClientValues, 'redirect_uris' | 'post_logout_redirect_uris'>) {
  return { redirect_uris: splitLines(redirect_uris), post_logout_redirect_uris: splitLines(post_logout_redirect_uris) }
}

/** The fields of a client. The type can be selected only for a new client. */
export function ClientFields({ form, create = false }: { form: UseFormReturnType<ClientValues>; create?: boolean }) {
  const { clients: t } = useTexts('clients')
  return (
    <>
      <NameField description={t.name_hint} {...form.getInputProps('name')} />
      {create && (
        <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            <Radio value="confidential" label={t.kinds.confidential} description={t.confidential_about} />
            <Radio value="public" label={t.kinds.public} description={t.public_about} />
          </Stack>
        </Radio.Group>
      )}
      <AddressLines
        label={t.callbacks}
        description={t.callbacks_hint}
        placeholder="https://www.example.com/login/callback"
        minRows={3}
        required
        {...form.getInputProps('redirect_uris')}
      />
      <AddressLines
        label={t.logout_addresses}
        description={t.logout_addresses_hint}
        placeholder="https://www.example.com/"
        minRows={2}
        {...form.getInputProps('post_logout_redirect_uris')}
      />
      <details>
        <summary>{t.rules}</summary>
        <ul>
          {Object.values(t.rules_list).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </details>
      <CheckField
        label={t.callback_by_domain}
        description={t.callback_by_domain_hint}
        {...form.getInputProps('callback_by_domain', { type: 'checkbox' })}
      />
      <CheckField
        label={t.token_exchange}
        description={t.token_exchange_hint}
        {...form.getInputProps('token_exchange', { type: 'checkbox' })}
      />
      <Checkbox.Group label={t.flows} {...form.getInputProps('response_types')}>
        <Stack gap="xs" mt={6}>
          <Checkbox value="code" label={t.flow_code} />
          <Checkbox value="id_token" label={t.flow_id_token} />
        </Stack>
      </Checkbox.Group>
      <Checkbox.Group
        label={t.metadata_claims}
        description={t.metadata_claims_hint}
        {...form.getInputProps('metadata_claims')}
      >
        <Stack gap="xs" mt={6}>
          <Checkbox value="user_metadata" label={t.metadata_claim.user_metadata} />
          <Checkbox value="app_metadata" label={t.metadata_claim.app_metadata} />
        </Stack>
      </Checkbox.Group>
      <CheckField
        label={t.consents_claim}
        description={t.consents_claim_hint}
        {...form.getInputProps('consents_claim', { type: 'checkbox' })}
      />
      <CheckField
        label={t.user_metadata_write}
        description={t.user_metadata_write_hint}
        {...form.getInputProps('user_metadata_write', { type: 'checkbox' })}
      />
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

function AddressLines(props: TextareaProps) {
  return (
    <Textarea
      autosize
      maxRows={12}
      styles={{ input: { fontFamily: 'monospace', overflowX: 'auto', whiteSpace: 'pre' } }}
      {...props}
    />
  )
}
