import { ActionIcon, Code, CopyButton, Group, Input, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTexts } from '../texts/index.tsx'

/** A complete value with a copy button. */
export function CopyableValue({ value, label }: { value: string; label?: string }) {
  const { common } = useTexts()
  const line = (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code fz="sm" px="sm" py={6} style={{ overflowWrap: 'anywhere', flex: 1, minWidth: 0 }} data-copied={label}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? common.copied : common.copy}>
            <ActionIcon
              variant="default"
              size="lg"
              onClick={copy}
              color={copied ? 'teal' : 'gray'}
              aria-label={label === undefined ? common.copy : common.copy_what({ what: label })}
            >
              {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
  if (label === undefined) return line
  return (
    <Input.Wrapper label={label} labelElement="div">
      {line}
    </Input.Wrapper>
  )
}
