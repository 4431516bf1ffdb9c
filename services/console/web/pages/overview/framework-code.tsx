import { quickStarts } from 'virtual:quick-starts'
import { ActionIcon, Code, CopyButton, Group, NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { Client, SiteReference } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import { fillIn } from './quick-start.ts'

/** The files of an application with a login in a framework that the member chooses, with the site's values. */
export function FrameworkCode({ site, client }: { site: SiteReference; client: Client | undefined }) {
  const { overview: t, common } = useTexts('overview')
  const [slug, setSlug] = useLocalStorage({ key: 'console-framework', defaultValue: 'express' })
  const issuers = useRead('readSiteHosts', site).data?.issuers
  const chosen = quickStarts.find((one) => one.slug === slug) ?? quickStarts[0]
  const [issuer] = issuers ?? []
  if (chosen === undefined || issuer === undefined) return null
  const files = fillIn(chosen, { issuer, client_id: client?.client_id })
  return (
    <Stack gap="xs">
      <Group align="flex-end">
        <NativeSelect
          label={t.framework}
          data={quickStarts.map(({ slug: value, title }) => ({ value, label: title }))}
          value={chosen.slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t.framework_about}
      </Text>
      <Tabs key={chosen.slug} defaultValue={files.at(-1)?.name ?? null}>
        <Tabs.List>
          {files.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {files.map(({ name, content }) => (
          <Tabs.Panel key={name} value={name} pos="relative" pt="xs">
            <CopyButton value={content}>
              {({ copied, copy }) => (
                <ActionIcon
                  variant="default"
                  pos="absolute"
                  right={8}
                  top={16}
                  onClick={copy}
                  aria-label={copied ? common.copied : common.copy_what({ what: name })}
                >
                  {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                </ActionIcon>
              )}
            </CopyButton>
            <Code block mah={320} style={{ overflow: 'auto' }} tabIndex={0}>
              {content}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
