import { Text } from '@mantine/core'

/** A text without spaces that may be long, such as an address or an ID: on one line up to a width, and broken beyond. */
export function NarrowText({ children, width }: { children: string; width: number }) {
  return (
    <Text span inherit display="inline-block" w="max-content" maw={width} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  )
}
