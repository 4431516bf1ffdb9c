import { Anchor, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { Fragment, Suspense, useState } from 'react'
import { call } from '../../admin/call.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useExplanations, useTexts } from '../../texts/index.tsx'
import { RequestFacts } from './request-facts.tsx'

type Explained = AdminOutput<'explainRequest'>
type Rejection = AdminOutput<'listRejections'>['rejections'][number]

/** Looks up the result of a Web API request, or why an authorization or token request was rejected. */
export function ExplainRequest({ site }: { site: SiteReference }) {
  const { usage: t } = useTexts('usage')
  const [requestId, setRequestId] = useState('')
  const [explained, setExplained] = useState<Explained>()
  const explaining = useAction(async () => {
    setExplained(undefined)
    setExplained(await call('explainRequest', { ...site, request_id: requestId.trim() }))
  })
  return (
    <Section title={t.explain} about={t.explain_about}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          explaining.run()
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="X-Request-Id"
            placeholder="0190e0a5-7c1c-7f3e-9c53-9f4b8a1d2c3e"
            value={requestId}
            onChange={(event) => setRequestId(event.currentTarget.value)}
            style={{ flex: 1 }}
            maw={480}
            styles={{ input: { fontFamily: 'monospace' } }}
          />
          <Button type="submit" variant="default" loading={explaining.isBusy} disabled={requestId.trim() === ''}>
            {t.explain_submit}
          </Button>
        </Group>
      </form>
      {explaining.fault && <FaultAlert fault={explaining.fault} />}
      <Suspense>{explained && <ExplainedRequest of={explained} />}</Suspense>
    </Section>
  )
}

function ExplainedRequest({ of }: { of: Explained }) {
  return 'endpoint' in of ? <RejectionFacts of={of} /> : <ApiRequestFacts of={of} />
}

function ApiRequestFacts({ of }: { of: Exclude<Explained, Rejection> }) {
  const { usage: t, common } = useTexts('usage')
  const { results, fault_reasons } = useExplanations()
  const format = useFormat()
  const facts = [
    [t.at, <DateTime key="at" at={of.at} />],
    [t.operation, <Code key="operation">{of.operation}</Code>],
    [t.key, of.api_key_id ?? t.no_key],
    [t.address, <Code key="address">{of.address}</Code>],
    [t.status, of.status],
    [t.code, of.code ?? t.no_error],
    [t.parameter, of.parameter && <Code key="parameter">{of.parameter}</Code>],
    [
      t.reason,
      of.reason && (
        <Fragment key="reason">
          <Code>{of.reason}</Code> {fault_reasons[of.reason]}
        </Fragment>
      ),
    ],
    [
      t.unknown_parameters,
      of.unknown_parameters.length > 0 && <UnknownParameters key="unknown" names={of.unknown_parameters} />,
    ],
    [
      t.error_documentation,
      of.documentation && (
        <Anchor key="documentation" size="sm" href={of.documentation} target="_blank" rel="noreferrer">
          {of.documentation}
        </Anchor>
      ),
    ],
    [t.remaining, of.remaining === null ? common.none : format.number(of.remaining)],
    [t.duration, `${format.number(of.duration_ms)} ms`],
  ] as const
  return <RequestFacts isSuccess={of.status < 400} result={results[of.result]} facts={facts} />
}

function RejectionFacts({ of }: { of: Rejection }) {
  const { usage: t, common } = useTexts('usage')
  const { logins } = useExplanations()
  const code = (text: string | null) => (text === null ? common.none : <Code key={text}>{text}</Code>)
  const facts = [
    [t.at, <DateTime key="at" at={of.at} />],
    [t.endpoint, t.endpoints[of.endpoint]],
    [t.client_id, code(of.client_id)],
    [t.redirect_uri, code(of.redirect_uri)],
    [
      t.registered,
      <Stack key="registered" gap={4} align="flex-start">
        {of.registered_redirect_uris.length === 0 ? common.none : of.registered_redirect_uris.map(code)}
      </Stack>,
    ],
    [t.error, of.error === null ? t.error_page : code(of.error)],
    [t.error_description, of.error_description],
  ] as const
  return <RequestFacts isSuccess={false} result={logins[of.reason]} facts={facts} />
}

function UnknownParameters({ names }: { names: readonly string[] }) {
  const { usage: t } = useTexts('usage')
  return (
    <>
      <Group gap="xs">
        {names.map((name) => (
          <Code key={name}>{name}</Code>
        ))}
      </Group>
      <Text size="sm">{t.unknown_parameters_about}</Text>
    </>
  )
}
