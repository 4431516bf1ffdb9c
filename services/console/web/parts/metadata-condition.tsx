import { Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useRead } from '../admin/queries.ts'
import type { SiteReference } from '../admin/types.ts'
import { useTexts } from '../texts/index.tsx'

interface Props {
  readonly site: SiteReference
  /** `path=value`, or a path and the equals sign while the value is not entered; empty: no condition. */
  readonly value: string
  readonly onChange: (condition: string) => void
  readonly error?: ReactNode
  /** Of a documented form: adds the link to the documentation. */
  readonly inputContainer?: (children: ReactNode) => ReactNode
  /** Changes with Enter, or when the input loses the focus, because each change reads a list. */
  readonly isDelayed?: boolean
  readonly width?: number
}

/** A condition on the metadata of users: one of the paths of the site, and an exact value. Nothing if the site has no paths. */
export function MetadataConditionFields({
  site,
  value,
  onChange,
  error,
  inputContainer = (children) => children,
  isDelayed = false,
  width,
}: Props) {
  const { user_filter: t, users } = useTexts('user_filter', 'users')
  const { account, site_id } = site
  const { data } = useRead('readMetadataSearch', { account, site_id })
  const [path = ''] = value.split('=', 1)
  const text = value.slice(path.length + 1)
  // A condition of the address stays visible with a path that the site no longer has.
  const paths = [...new Set([...(data?.paths ?? []), path])].filter((one) => one !== '')
  if (paths.length === 0) return null
  const size = width === undefined ? {} : { w: { base: '100%', xs: width } }
  const Layout = width === undefined ? FormRow : FilterRow
  const set = (next: string) => onChange(`${path}=${next}`)
  return (
    <Layout>
      <NativeSelect
        label={users.metadata}
        inputContainer={inputContainer}
        data={[{ value: '', label: users.mapped_any }, ...paths]}
        value={path}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? '' : `${currentTarget.value}=${text}`)}
        {...size}
      />
      {path !== '' &&
        (isDelayed ? (
          // With another condition, the input begins with its value.
          <DelayedInput key={value} label={t.metadata_value} value={text} onChange={set} size={size} />
        ) : (
          <TextInput
            label={t.metadata_value}
            value={text}
            onChange={(event) => set(event.currentTarget.value)}
            error={error}
            maxLength={255}
            autoComplete="off"
          />
        ))}
    </Layout>
  )
}

/** On a phone, the inputs are below each other: the ends of paths distinguish them. */
function FormRow({ children }: { children: ReactNode }) {
  return <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>
}

function FilterRow({ children }: { children: ReactNode }) {
  return (
    <Group align="flex-start" w={{ base: '100%', xs: 'auto' }}>
      {children}
    </Group>
  )
}

interface DelayedProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly size: { readonly w?: { base: string; xs: number } }
}

function DelayedInput({ label, value, onChange, size }: DelayedProps) {
  const [text, setText] = useState(value)
  const finish = () => {
    if (text !== value) onChange(text)
  }
  return (
    <TextInput
      label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key }) => key === 'Enter' && finish()}
      maxLength={255}
      autoComplete="off"
      {...size}
    />
  )
}

/** Whether a path is chosen and no value is entered. */
export function isWithoutValue(condition: string): boolean {
  return condition.endsWith('=') && condition.indexOf('=') === condition.length - 1
}
