/** From a time of day until another one (`HH:MM`) in a time zone; both null: never. */
export interface QuietHours {
  readonly time_zone: string
  readonly quiet_from: string | null
  readonly quiet_to: string | null
}

/** Whether a time is within quiet hours, which can contain midnight. They start at `quiet_from`, and end before `quiet_to`. */
export function isQuiet({ time_zone, quiet_from, quiet_to }: QuietHours, now: Date): boolean {
  if (quiet_from === null || quiet_to === null) return false
  const format = new Intl.DateTimeFormat('en', {
    timeZone: time_zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const time = format.format(now)
  return quiet_from < quiet_to ? quiet_from <= time && time < quiet_to : quiet_from <= time || time < quiet_to
}
