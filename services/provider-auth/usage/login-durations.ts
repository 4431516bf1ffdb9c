/** The durations of a login’s steps in milliseconds; absent: the login did not reach the step. */
export interface LoginDurations {
  provider_ms?: number
  recording_ms?: number
  callback_ms?: number
}

/** Runs a step of a login and sets its duration, also if it fails. */
export async function timeStep<T>(
  durations: LoginDurations,
  step: keyof LoginDurations,
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  try {
    return await run()
  } finally {
    durations[step] = Math.round(performance.now() - startedAt)
  }
}
