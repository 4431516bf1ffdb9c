import type { z } from 'zod'
import type { LoginLogDetails, LoginLogEntry } from '#admin-api'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { LoginEntry } from '../store/login-log.ts'

type Step = z.input<typeof LoginLogDetails>['steps'][number]

/** A login as the Admin API returns it. */
export function toLogEntry(entry: LoginEntry): z.input<typeof LoginLogEntry> {
  const { login_id, kind, provider, client_id, result, reason, error, identifier, is_new_user } = entry
  const { browser, country, is_test, provider_ms, recording_ms, callback_ms } = entry
  return {
    login_id,
    at: toTimestamp(entry.at),
    kind,
    provider,
    client_id,
    result,
    reason,
    error,
    identifier,
    is_new_user,
    browser,
    country,
    is_test,
    ended_at: toTimestampOrNull(entry.ended_at),
    at_provider_ms: entry.returned_at && millisecondsBetween(entry.at, entry.returned_at),
    provider_ms,
    recording_ms,
    callback_ms,
  }
}

/** The steps that a login has reached. Our requests and the recording are in the callback, one after the other. */
export function describeSteps(entry: LoginEntry): Step[] {
  const { at, returned_at, ended_at, provider_ms, recording_ms, callback_ms } = entry
  let afterMs = 0
  const toStep = (step: Step['step'], time: Date | null, durationMs: number | null): Step[] => {
    if (time === null) return []
    // Not before the previous step, although the clock of its replica can be faster.
    afterMs = Math.max(afterMs, millisecondsBetween(at, time))
    return [{ step, at: toTimestamp(time), after_ms: afterMs, duration_ms: durationMs }]
  }
  const callbackAt = returned_at ?? at
  const recordedAt = addMilliseconds(callbackAt, provider_ms ?? 0)
  return [
    ...toStep('started', at, null),
    ...toStep('returned', returned_at, returned_at && millisecondsBetween(at, returned_at)),
    ...toStep('provider_requests', provider_ms === null ? null : callbackAt, provider_ms),
    ...toStep('recorded', recording_ms === null ? null : recordedAt, recording_ms),
    ...toStep('ended', ended_at, callback_ms),
    ...toStep('redeemed', entry.redeemed_at, null),
    ...toStep('redemption_rejected', entry.redemption_rejected_at, null),
  ]
}

/** Clocks of replicas can differ. */
function millisecondsBetween(start: Date, end: Date): number {
  return Math.max(0, end.getTime() - start.getTime())
}

function addMilliseconds(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds)
}
