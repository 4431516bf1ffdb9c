import { Box, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { AdminInput, SiteReference } from '../../admin/types.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { nameLanguage } from '../../parts/language-name.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { type LookForm, showErrors } from './look-form.ts'

const pages = [
  'choice',
  'terms',
  'confirmation',
  'logout',
  'logged_out',
  'form_post',
  'deletion',
  'account',
  'error',
] as const
const schemes = ['light', 'dark'] as const
const devices = ['phone', 'desktop'] as const
const widths = { phone: 390, desktop: 1_280 } as const
const heights = { phone: 760, desktop: 800 } as const

/** Waits for a pause in the input before it asks for a page. */
const delayMs = 300

type PreviewInput = AdminInput<'previewLook'>

function findPage(name: string | null): (typeof pages)[number] {
  return pages.find((page) => page === name) ?? 'choice'
}

/** The real pages with the values of the form, which are not saved. */
export function LookPreview({ site, form }: { site: SiteReference; form: LookForm }) {
  const { look: t } = useTexts('look')
  const { language: own } = useLanguage()
  const [parameters] = useSearchParams()
  const [page, setPage] = useState(() => findPage(parameters.get('preview')))
  const [error, setError] = useState('login_ended')
  const [language, setLanguage] = useState<string>(own)
  const [scheme, setScheme] = useState<PreviewInput['scheme']>('light')
  const [device, setDevice] = useState<(typeof devices)[number]>('phone')
  const { setErrors } = form
  const [look] = useDebouncedValue(form.values, delayMs)
  const { data, error: fault } = useRead('previewLook', { ...site, ...look, page, error, language, scheme })
  const texts = useRead('listPageTexts', { language: 'en' }).data
  const [html, setHtml] = useState('')
  useEffect(() => {
    if (data !== undefined) setHtml(data.html)
  }, [data])
  useEffect(() => {
    showErrors(setErrors, fault)
  }, [fault, setErrors])
  const errors = (texts?.texts ?? []).flatMap(({ key, text }) => {
    const [, name] = /^pages\.(\w+)\.heading$/.exec(key) ?? []
    return name === undefined ? [] : [{ value: name, label: `${text} (${name})` }]
  })
  return (
    <Stack component="section" aria-label={t.preview} gap="sm" pos="sticky" top={72}>
      <Group grow>
        <NativeSelect
          label={t.page}
          data={pages.map((value) => ({ value, label: t.pages[value] }))}
          value={page}
          onChange={({ currentTarget: { value } }) => setPage(findPage(value))}
        />
        <NativeSelect
          label={t.language}
          data={(texts?.languages ?? [own]).map((tag) => ({ value: tag, label: nameLanguage(tag) }))}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        />
      </Group>
      {page === 'error' && (
        <NativeSelect
          label={t.error}
          data={errors}
          value={error}
          onChange={(event) => setError(event.currentTarget.value)}
        />
      )}
      <Group>
        <SegmentedControl
          aria-label={t.device}
          data={devices.map((value) => ({ value, label: t.devices[value] }))}
          value={device}
          onChange={(value) => setDevice(devices.find((one) => one === value) ?? 'phone')}
        />
        <SegmentedControl
          aria-label={t.scheme}
          data={schemes.map((value) => ({ value, label: t.schemes[value] }))}
          value={scheme}
          onChange={(value) => setScheme(schemes.find((one) => one === value) ?? 'light')}
        />
      </Group>
      {fault && fault.fields.length === 0 && <FaultAlert fault={fault} />}
      {fault && fault.fields.length > 0 && (
        <Text size="sm" c="red" role="status">
          {fault.fields.map(({ field, message }) => `${field} ${message}`).join('\n')}
        </Text>
      )}
      <Frame html={html} title={t.preview} device={device} />
    </Stack>
  )
}

interface FrameProps {
  readonly html: string
  readonly title: string
  readonly device: (typeof devices)[number]
}

/** A page in the size of a device, reduced to the width that there is. It can neither run scripts nor lead elsewhere. */
function Frame({ html, title, device }: FrameProps) {
  const { ref, width: available } = useElementSize()
  const scale = Math.min(1, available / widths[device])
  return (
    <Box ref={ref} h={heights[device] * scale} style={{ overflow: 'clip' }}>
      <iframe
        title={title}
        sandbox=""
        srcDoc={html.replace('<style>', `<style nonce="${nonce}">`)}
        width={widths[device]}
        height={heights[device]}
        style={{
          border: '1px solid var(--mantine-color-default-border)',
          borderRadius: 'var(--mantine-radius-md)',
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
        }}
      />
    </Box>
  )
}

/** The style of the preview needs the nonce of the Content Security Policy, which the frame has from this page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
