import { Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useIsOperator } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { MemberSignIn } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'

type Domain = MemberSignIn['domains'][number]

/** The domains of the members' e-mail addresses, and what proves them. */
export function Domains({ account, domains }: { account: string; domains: readonly Domain[] }) {
  const { member_sign_in: t } = useTexts('member_sign_in')
  return (
    <Section title={t.domains} about={t.domains_about} actions={<AddDomain account={account} />}>
      {domains.length === 0 && (
        <Paper withBorder p="lg">
          <Text c="dimmed">{t.no_domains}</Text>
        </Paper>
      )}
      {domains.map((domain) => (
        <DomainCard key={domain.domain} account={account} domain={domain} />
      ))}
    </Section>
  )
}

function AddDomain({ account }: { account: string }) {
  const { member_sign_in: t } = useTexts('member_sign_in')
  return (
    <FormDialog
      documented="sign_in_domain"
      label={t.add_domain}
      button={{ variant: 'default' }}
      initial={{ domain: '' }}
      fields={(form) => (
        <TextInput
          label={t.domain}
          placeholder="example.com"
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
          {...form.getInputProps('domain')}
        />
      )}
      save={async ({ domain }) => {
        await mutate('addSignInDomain', { account, domain })
        return undefined
      }}
    />
  )
}

function DomainCard({ account, domain }: { account: string; domain: Domain }) {
  const { member_sign_in: t, common } = useTexts('member_sign_in')
  const isOperator = useIsOperator()
  const name = { account, domain: domain.domain }
  const checking = useAction(() => mutate('checkSignInDomain', name))
  const confirming = useAction(() => mutate('confirmSignInDomain', name))
  const fault = checking.fault ?? confirming.fault
  const isProven = domain.proven_by !== null
  return (
    <Paper component="section" aria-label={domain.domain} withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {domain.domain}
            </Text>
            <Badge variant="light" color={isProven ? 'teal' : 'gray'}>
              {isProven ? t.proven : t.unproven}
            </Badge>
          </Group>
          <Group gap="xs">
            {!isProven && (
              <Button variant="default" size="compact-sm" loading={checking.isBusy} onClick={() => checking.run()}>
                {t.check}
              </Button>
            )}
            {!isProven && isOperator && (
              <Button variant="default" size="compact-sm" loading={confirming.isBusy} onClick={() => confirming.run()}>
                {t.confirm}
              </Button>
            )}
            <DangerButton
              label={common.remove}
              target={domain.domain}
              title={t.remove_domain_title({ domain: domain.domain })}
              warning={t.remove_domain_warning}
              change={() => mutate('removeSignInDomain', name)}
            />
          </Group>
        </Group>
        {fault && <FaultAlert fault={fault} />}
        {!isProven && (
          <>
            <Text size="sm" c="dimmed">
              {t.prove_about}
            </Text>
            <CopyableValue label={t.txt_name} value={domain.txt_name} />
            <CopyableValue label={t.txt_value} value={domain.txt_value} />
          </>
        )}
      </Stack>
    </Paper>
  )
}
