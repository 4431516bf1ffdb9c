import { Button, Group } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { act } from '../../admin/queries.ts'
import type { LoginProvider, SiteName } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { Failure } from '../../parts/failure.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { authorizationAddress, freshValues } from './authorization.ts'
import { TestOutcome } from './test-outcome.tsx'

interface Props {
  readonly site: SiteName
  readonly provider: LoginProvider
  readonly asked: Parameters<typeof authorizationAddress>[0]
}

/** A login the real way, in a new tab; here it is waited for, and what the provider told is shown. */
export function TestLogin({ site, provider, asked }: Props) {
  const { providers: t } = useTexts()
  const [state, setState] = useState<string>()
  const beginning = useAct(async () => {
    // Opened at once: later, the browser would take it for a pop-up that nobody asked for.
    const tab = window.open('about:blank')
    if (tab === null) throw new Error(t.test_blocked)
    tab.opener = null
    try {
      const begun = await act('beginTestLogin', { ...site, provider })
      setState(begun.state)
      tab.location.replace(authorizationAddress(asked, await freshValues(begun.state)))
    } catch (error) {
      tab.close()
      throw error
    }
  })
  return (
    <Section title={t.test} about={t.test_about}>
      <Group>
        <Button
          variant="default"
          leftSection={<IconExternalLink size={18} />}
          loading={beginning.busy}
          onClick={() => beginning.run()}
        >
          {t.test_do}
        </Button>
      </Group>
      {beginning.fault && <Failure fault={beginning.fault} />}
      {state !== undefined && <TestOutcome key={state} site={site} provider={provider} state={state} />}
    </Section>
  )
}
