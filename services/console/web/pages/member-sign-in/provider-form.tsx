import { roles } from 'virtual:contract'
import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { mutate } from '../../admin/queries.ts'
import type { MemberSignIn } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { CheckField, useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type MemberProviderValues, toInput, toVersion } from './form-values.ts'
import { RoleRules } from './role-rules.tsx'

const width = 480

/** The settings of the OpenID Provider of an account. */
export function MemberProviderForm({ account, signIn }: { account: string; signIn: MemberSignIn }) {
  const { member_sign_in: t, common } = useTexts('member_sign_in')
  const form = useDocumentedForm<MemberProviderValues>('member_sign_in', { initialValues: toVersion(signIn).values })
  const labels = {
    issuer: t.issuer,
    client_id: t.client_id,
    client_secret: t.client_secret,
    client_authentication: t.client_authentication,
    scopes: t.scopes,
    role_claim: t.role_claim,
    role_rules: t.role_rules,
    default_role: t.default_role,
    trust_email: t.trust_email,
    required: t.required,
  }
  const text = (field: 'issuer' | 'client_id' | 'scopes' | 'role_claim', description: string) => (
    <TextInput
      label={labels[field]}
      description={description}
      autoComplete="off"
      spellCheck={false}
      maw={width}
      {...form.getInputProps(field)}
    />
  )
  return (
    <ChangeForm
      form={form}
      revision={signIn.revision}
      save={async (values, revision) =>
        toVersion(await mutate('saveMemberSignIn', toInput(account, values), { revision }))
      }
      reread={async () => toVersion(await call('readMemberSignIn', { account }))}
      labels={labels}
      listConsequences={(before, after) => [
        ...(before.issuer !== '' && (before.issuer !== after.issuer || before.client_id !== after.client_id)
          ? [t.ends_sessions]
          : []),
        ...(after.required && !before.required ? [t.ends_passkeys] : []),
      ]}
      // The earlier secret is not known.
      canUndo={(before, after) => before.issuer !== '' && after.client_secret === '' && before.issuer === after.issuer}
    >
      {text('issuer', t.issuer_hint)}
      {text('client_id', t.client_id_hint)}
      <PasswordInput
        label={t.client_secret}
        description={signIn.provider === null ? t.client_secret_hint : t.client_secret_kept}
        autoComplete="off"
        maw={width}
        {...form.getInputProps('client_secret')}
      />
      <NativeSelect
        label={t.client_authentication}
        description={t.client_authentication_hint}
        data={['client_secret_post', 'client_secret_basic']}
        maw={width}
        {...form.getInputProps('client_authentication')}
      />
      {text('scopes', t.scopes_hint)}
      {text('role_claim', t.role_claim_hint)}
      {form.values.role_claim.trim() !== '' && (
        <RoleRules
          account={account}
          value={form.values.role_rules}
          onChange={(rules) => form.setFieldValue('role_rules', rules)}
          error={form.errors.role_rules}
        />
      )}
      <NativeSelect
        label={t.default_role}
        description={t.default_role_hint}
        data={[
          { value: '', label: t.no_default_role },
          ...roles.map((role) => ({ value: role, label: common.roles[role] })),
        ]}
        maw={width}
        {...form.getInputProps('default_role')}
      />
      <CheckField
        label={t.trust_email}
        description={t.trust_email_hint}
        {...form.getInputProps('trust_email', { type: 'checkbox' })}
      />
      <CheckField
        label={t.required}
        description={t.required_hint}
        {...form.getInputProps('required', { type: 'checkbox' })}
      />
    </ChangeForm>
  )
}
