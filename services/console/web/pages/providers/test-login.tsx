import { Button, Group } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { mutate } from '../../admin/queries.ts'
import type { LoginProvider, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { buildAuthorizationUrl, createLoginValues } from './authorization-url.ts'

// Loaded with the first test login.
const TestOutcome = lazy(async () => ({ default: (await import('./test-outcome.tsx')).TestOutcome }))

interface Props {
  readonly site: SiteReference
  readonly provider: LoginProvider
  readonly parameters: Parameters<typeof buildAuthorizationUrl>[0]
}

/** Starts a login in a new tab, waits for it, and shows the claims that the provider sent. */
export function TestLoginSection({ site, provider, parameters }: Props) {
  const { providers: t } = useTexts('providers')
  const [state, setState] = useState<string>()
  const starting = useAction(async () => {
    // Opened before the request, because browsers block pop-ups that do not follow a click immediately.
    const tab = window.open('about:blank')
    if (tab === null) throw new Error(t.test_blocked)
    tab.opener = null
    try {
      const started = await mutate('startTestLogin', { ...site, provider })
      setState(started.state)
      tab.location.replace(buildAuthorizationUrl(parameters, await createLoginValues(started.state)))
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
          loading={starting.isBusy}
          onClick={() => starting.run()}
        >
          {t.test_submit}
        </Button>
      </Group>
      {starting.fault && <FaultAlert fault={starting.fault} />}
      {state !== undefined && (
        <Suspense>
          <TestOutcome key={state} site={site} provider={provider} state={state} />
        </Suspense>
      )}
    </Section>
  )
}
