import { documentedFields } from 'virtual:contract'
import { ActionIcon, Box, Checkbox, type CheckboxProps, Group } from '@mantine/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { IconHelp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DocumentedForm } from '../admin/types.ts'
import { useTexts } from '../texts/index.tsx'
import { getDocumentationUrl } from './documentation.ts'

interface Link {
  readonly field: string
  readonly url: string
}

/**
 * A form whose fields link to the documentation, if the operator publishes it.
 *
 * @param toField the documented field of an input, whose path is for example `theme.radius`
 */
export function useDocumentedForm<V extends Record<string, unknown>>(
  documented: DocumentedForm | undefined,
  input: UseFormInput<V>,
  toField: (path: string) => string = toTopField,
): UseFormReturnType<V> {
  return useForm<V>({
    ...input,
    enhanceGetInputProps: ({ field: path, options }) => {
      const link = documented && findLink(documented, toField(String(path)))
      if (link === undefined) return {}
      return options?.type === 'checkbox'
        ? { documentation: link }
        : { inputContainer: (children: ReactNode) => <WithLink to={link}>{children}</WithLink> }
    },
  })
}

/** The documented field of an input, by default the one that contains it. */
function toTopField(path: string): string {
  return path.replace(/\..*/, '')
}

function findLink(documented: DocumentedForm, field: string): Link | undefined {
  const url = getDocumentationUrl(`use/fields#${documented}-${field}`)
  return url !== undefined && documentedFields[documented].includes(field) ? { field, url } : undefined
}

/** A checkbox of a documented form. */
export function CheckField({ documentation, ...checkbox }: CheckboxProps & { readonly documentation?: Link }) {
  if (documentation === undefined) return <Checkbox {...checkbox} />
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Checkbox {...checkbox} />
      <FieldLink to={documentation} />
    </Group>
  )
}

function WithLink({ to, children }: { to: Link; children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Box flex={1} miw={0}>
        {children}
      </Box>
      <FieldLink to={to} />
    </Group>
  )
}

function FieldLink({ to: { field, url } }: { to: Link }) {
  const { common } = useTexts()
  return (
    <ActionIcon
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      color="gray"
      aria-label={common.documentation_of({ field })}
    >
      <IconHelp size={18} />
    </ActionIcon>
  )
}
