import { Text, type TextProps } from '@mantine/core'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/index.tsx'

interface Props extends TextProps {
  readonly at: string | null
  /** Shows the distance from now. */
  readonly relative?: boolean
  /** Shows the seconds as well. */
  readonly seconds?: boolean
}

/** A time in the browser's time zone, with the exact time as tooltip; "never" for null. */
export function DateTime({ at, relative = false, seconds = false, ...text }: Props) {
  const { common } = useTexts()
  const format = useFormat()
  if (at === null)
    return (
      <Text {...text} span c="dimmed" inherit>
        {common.never}
      </Text>
    )
  return (
    <Text
      {...text}
      span
      inherit
      component="time"
      dateTime={at}
      title={format.exact(at)}
      style={relative ? undefined : { whiteSpace: 'nowrap' }}
    >
      {relative ? format.relative(at) : seconds ? format.second(at) : format.moment(at)}
    </Text>
  )
}
