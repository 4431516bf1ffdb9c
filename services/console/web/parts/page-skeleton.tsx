import { Skeleton, Stack } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** Placeholder while the code of a page loads. */
export function PageSkeleton() {
  const { common } = useTexts()
  return (
    <Stack role="status" aria-label={common.loading} aria-busy="true" gap="lg" maw={1120}>
      <Stack gap="xs">
        <Skeleton h={32} w="min(100%, 280px)" />
        <Skeleton h={16} w="min(100%, 480px)" />
      </Stack>
      <Skeleton h={160} />
      <Skeleton h={28} />
      <Skeleton h={28} w="60%" />
    </Stack>
  )
}
