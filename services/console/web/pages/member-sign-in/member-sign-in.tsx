import { List, Stack } from '@mantine/core'
import { mutate, useRead } from '../../admin/queries.ts'
import type { MemberSignIn } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { DangerButton } from '../../parts/danger-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Domains } from './domains.tsx'
import { MemberProviderForm } from './provider-form.tsx'
import { TestResult, TestSignIn } from './test-sign-in.tsx'

/** Sign-in of an account's members at its own OpenID Provider: a guide, its settings, domains, and a test. */
export function MemberSignInPage({ account }: { account: string }) {
  const { member_sign_in: t } = useTexts('member_sign_in')
  const query = useRead('readMemberSignIn', { account })
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>
        {(signIn) => (
          <>
            <TestResult account={account} />
            <Guide signIn={signIn} />
            <Section
              title={t.provider}
              about={t.provider_about}
              actions={signIn.provider !== null && <RemoveProvider account={account} revision={signIn.revision} />}
            >
              {/* A provider that is added or removed begins a new form. */}
              <MemberProviderForm key={String(signIn.provider === null)} account={account} signIn={signIn} />
            </Section>
            <Domains account={account} domains={signIn.domains} />
            {signIn.provider !== null && <TestSignIn account={account} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Guide({ signIn: { redirect_uri } }: { signIn: MemberSignIn }) {
  const { member_sign_in: t } = useTexts('member_sign_in')
  return (
    <Section title={t.guide}>
      <Stack gap="sm" maw={720}>
        <List type="ordered" size="sm" spacing="xs">
          <List.Item>{t.step_register}</List.Item>
          <List.Item>{t.step_settings}</List.Item>
          <List.Item>{t.step_domain}</List.Item>
          <List.Item>{t.step_test}</List.Item>
          <List.Item>{t.step_required}</List.Item>
        </List>
        <CopyableValue label={t.redirect_uri} value={redirect_uri} />
        <List size="sm" c="dimmed" spacing={4}>
          <List.Item>{t.guide_entra}</List.Item>
          <List.Item>{t.guide_okta}</List.Item>
          <List.Item>{t.guide_google}</List.Item>
          <List.Item>{t.guide_keycloak}</List.Item>
        </List>
      </Stack>
    </Section>
  )
}

function RemoveProvider({ account, revision }: { account: string; revision: number }) {
  const { member_sign_in: t, common } = useTexts('member_sign_in')
  return (
    <DangerButton
      label={common.remove}
      target={t.provider}
      title={t.remove_title}
      warning={t.remove_warning}
      change={() => mutate('removeMemberSignIn', { account }, { revision })}
    />
  )
}
