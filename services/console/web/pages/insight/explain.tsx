import { Anchor, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { Fragment, useState } from 'react'
import { call } from '../../admin/call.ts'
import type { Output, SiteName } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { Facts } from './facts.tsx'

type Explained = Output<'explainRequest'>
type Rejection = Output<'listRejections'>['rejections'][number]

/** What became of one request to the Web API, or why an authorization or token request was rejected. */
export function Explain({ site }: { site: SiteName }) {
  const { insight: t } = useTexts()
  const [requestId, setRequestId] = useState('')
  const [explained, setExplained] = useState<Explained>()
  const asking = useAct(async () => {
    setExplained(undefined)
    setExplained(await call('explainRequest', { ...site, request_id: requestId.trim() }))
  })
  return (
    <Section title={t.explain} about={t.explain_about}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          asking.run()
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
          <Button type="submit" variant="default" loading={asking.busy} disabled={requestId.trim() === ''}>
            {t.explain_do}
          </Button>
        </Group>
      </form>
      {asking.fault && <Failure fault={asking.fault} />}
      {explained && <Explanation of={explained} />}
    </Section>
  )
}

function Explanation({ of }: { of: Explained }) {
  return 'endpoint' in of ? <RejectionExplained of={of} /> : <CallExplained of={of} />
}

function CallExplained({ of }: { of: Exclude<Explained, Rejection> }) {
  const { insight: t, explanations, fault_reasons, common } = useTexts()
  const format = useFormat()
  const facts = [
    [t.at, <Moment key="at" at={of.at} />],
    [t.operation, <Code key="operation">{of.operation}</Code>],
    [t.key, of.api_key_id ?? t.no_key],
    [t.address, <Code key="address">{of.address}</Code>],
    [t.status, of.status],
    [t.code, of.code ?? t.no_error],
    ...(of.parameter === null ? [] : [[t.parameter, <Code key="parameter">{of.parameter}</Code>] as const]),
    ...(of.reason === null
      ? []
      : [
          [
            t.reason,
            <Fragment key="reason">
              <Code>{of.reason}</Code> {fault_reasons[of.reason]}
            </Fragment>,
          ] as const,
        ]),
    ...(of.unknown_parameters.length === 0
      ? []
      : [[t.unknown_parameters, <UnknownParameters key="unknown" names={of.unknown_parameters} />] as const]),
    ...(of.documentation === null
      ? []
      : [
          [
            t.error_documentation,
            <Anchor key="documentation" size="sm" href={of.documentation} target="_blank" rel="noreferrer">
              {of.documentation}
            </Anchor>,
          ] as const,
        ]),
    [t.remaining, of.remaining === null ? common.none : format.number(of.remaining)],
    [t.duration, `${format.number(of.duration_ms)} ms`],
  ] as const
  return <Facts fine={of.status < 400} says={explanations[of.explained_as]} facts={facts} />
}

function RejectionExplained({ of }: { of: Rejection }) {
  const { insight: t, rejection_explanations, common } = useTexts()
  const code = (text: string | null) => (text === null ? common.none : <Code key={text}>{text}</Code>)
  const facts = [
    [t.at, <Moment key="at" at={of.at} />],
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
    ...(of.error_description === null ? [] : [[t.error_description, of.error_description] as const]),
  ] as const
  return <Facts fine={false} says={rejection_explanations[of.reason]} facts={facts} />
}

function UnknownParameters({ names }: { names: readonly string[] }) {
  const { insight: t } = useTexts()
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
