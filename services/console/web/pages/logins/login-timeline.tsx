import { Text, Timeline } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconCheck,
  IconDatabase,
  IconKey,
  IconKeyOff,
  IconServer,
} from '@tabler/icons-react'
import type { LoginDetails } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

type Step = LoginDetails['steps'][number]

const icons = {
  started: IconArrowUpRight,
  returned: IconArrowBackUp,
  provider_requests: IconServer,
  recorded: IconDatabase,
  ended: IconCheck,
  redeemed: IconKey,
  redemption_rejected: IconKeyOff,
} as const satisfies Record<Step['step'], unknown>

/** The steps of a login, with their times and durations. */
export function LoginTimeline({ steps }: { steps: readonly Step[] }) {
  const { logins: t } = useTexts('logins')
  const format = useFormat()
  return (
    <Timeline active={steps.length - 1} bulletSize={28} lineWidth={2} aria-label={t.timeline}>
      {steps.map(({ step, at, after_ms, duration_ms }) => {
        const StepIcon = icons[step]
        return (
          <Timeline.Item key={step} title={t.steps[step]} bullet={<StepIcon size={16} aria-hidden />}>
            <Text size="sm" c="dimmed">
              {step === 'started' ? <DateTime at={at} seconds /> : t.after({ duration: format.duration(after_ms) })}
              {duration_ms !== null &&
                step !== 'returned' &&
                ` · ${t.took({ duration: format.duration(duration_ms) })}`}
            </Text>
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}
