import { Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { AdminInput, AuditStream } from '../../admin/types.ts'
import { NameField } from '../../parts/name-field.tsx'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { splitLines, useValidators } from '../validators.ts'

export interface StreamValues extends Record<string, unknown> {
  name: string
  kind: AuditStream['kind']
  url: string
  /** A header on each line; empty: the stored ones stay. */
  headers: string
  host: string
  port: string
  ca_certificate: string
  certificate: string
  /** Empty: the stored one stays. */
  private_key: string
  enabled: boolean
  /** A local time; empty: with the entries that follow. Of a new stream. */
  from_time: string
}

const syslogPort = '6514'

export const newStream: StreamValues = {
  name: '',
  kind: 'webhook',
  url: '',
  headers: '',
  host: '',
  port: syslogPort,
  ca_certificate: '',
  certificate: '',
  private_key: '',
  enabled: true,
  from_time: '',
}

export function toStreamValues(stream: AuditStream): StreamValues {
  const { name, kind, url, host, port, ca_certificate, certificate, enabled } = stream
  return {
    ...newStream,
    name,
    kind,
    url: url ?? '',
    host: host ?? '',
    port: String(port ?? syslogPort),
    ca_certificate: ca_certificate ?? '',
    certificate: certificate ?? '',
    enabled,
  }
}

type StreamInput = Omit<AdminInput<'createInstallationAuditStream'>, 'kind' | 'from_time' | 'from_entry'>

/** Converts the values of a form to the fields of their kind. */
export function toStreamInput(values: StreamValues): StreamInput {
  const { name, kind, url, headers, host, port, ca_certificate, certificate, private_key, enabled } = values
  if (kind === 'webhook') return { name, enabled, url }
  if (kind === 'otlp') return { name, enabled, url, ...(headers.trim() !== '' && { headers: parseHeaders(headers) }) }
  const hasNoCertificate = certificate.trim() === ''
  return {
    name,
    enabled,
    host,
    port: Number(port),
    ca_certificate: ca_certificate.trim() === '' ? null : ca_certificate,
    ...(hasNoCertificate ? { certificate: null } : private_key.trim() !== '' && { certificate, private_key }),
  }
}

/** Lines `name: value`, as in HTTP. */
function parseHeaders(text: string): Record<string, string> {
  const headers = splitLines(text).map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name.trim().toLowerCase(), value.join(':').trim()]
  })
  return Object.fromEntries(headers)
}

export function useStreamValidators() {
  const check = useValidators()
  const onlyOf =
    (kinds: readonly AuditStream['kind'][], validate: (value: string) => string | null) =>
    (value: string, { kind }: StreamValues) =>
      kinds.includes(kind) ? validate(value) : null
  return {
    name: check.title,
    url: onlyOf(['webhook', 'otlp'], check.some),
    host: onlyOf(['syslog'], check.some),
    port: onlyOf(['syslog'], (value) => check.whole(1, 65_535)(Number(value))),
  }
}

const kinds = ['webhook', 'otlp', 'syslog'] as const

/** The fields of a stream. Its kind and beginning can be selected only for a new one. */
export function StreamFields({ form, stored }: { form: UseFormReturnType<StreamValues>; stored?: AuditStream }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const { kind } = form.values
  return (
    <>
      <NameField description={t.name_hint} {...form.getInputProps('name')} />
      {!stored && (
        <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            {kinds.map((one) => (
              <Radio key={one} value={one} label={t.kinds[one]} description={t.kind_hints[one]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {kind === 'syslog' ? (
        <SyslogFields form={form} stored={stored} />
      ) : (
        <TextInput
          label="URL"
          description={kind === 'otlp' ? t.otlp_url_hint : t.webhook_url_hint}
          placeholder={kind === 'otlp' ? 'https://otel.example.com/v1/logs' : 'https://siem.example.com/audit'}
          type="url"
          required
          {...form.getInputProps('url')}
        />
      )}
      {kind === 'otlp' && (
        <Textarea
          label={t.headers}
          description={
            stored && stored.header_names.length > 0
              ? t.headers_stored({ names: stored.header_names.join(', ') })
              : t.headers_hint
          }
          placeholder="authorization: Bearer …"
          autosize
          minRows={2}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('headers')}
        />
      )}
      {stored ? (
        <CheckField
          label={t.enabled}
          description={t.enabled_hint}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      ) : (
        <TextInput
          type="datetime-local"
          label={t.from_time}
          description={t.from_time_hint}
          {...form.getInputProps('from_time')}
        />
      )}
    </>
  )
}

function SyslogFields({ form, stored }: { form: UseFormReturnType<StreamValues>; stored: AuditStream | undefined }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const pem = { placeholder: '-----BEGIN CERTIFICATE-----', autosize: true, minRows: 2, maxRows: 6, spellCheck: false }
  const hasCertificate = form.values.certificate.trim() !== ''
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t.host}
          placeholder="syslog.example.com"
          spellCheck={false}
          required
          {...form.getInputProps('host')}
        />
        <TextInput label={t.port} inputMode="numeric" required {...form.getInputProps('port')} />
      </SimpleGrid>
      <Textarea
        label={t.ca_certificate}
        description={t.ca_certificate_hint}
        {...pem}
        {...form.getInputProps('ca_certificate')}
      />
      <Textarea
        label={t.certificate}
        description={t.certificate_hint}
        {...pem}
        {...form.getInputProps('certificate')}
      />
      {hasCertificate && (
        <Textarea
          label={t.private_key}
          description={stored?.certificate ? t.private_key_stored : t.private_key_hint}
          {...pem}
          placeholder="-----BEGIN PRIVATE KEY-----"
          autoComplete="off"
          {...form.getInputProps('private_key')}
        />
      )}
    </>
  )
}
