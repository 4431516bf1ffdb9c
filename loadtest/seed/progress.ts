const printIntervalMs = 5_000

/** Prints progress, speed and remaining time every few seconds. */
export function createProgress(all: number, print: (line: string) => void): (more: number) => void {
  const startedAt = performance.now()
  let printedAt = startedAt
  let done = 0
  return (more) => {
    done += more
    const now = performance.now()
    if (done < all && now - printedAt < printIntervalMs) return
    printedAt = now
    const seconds = (now - startedAt) / 1_000
    const rate = done / seconds
    const remaining = done < all ? `, ${duration((all - done) / rate)} left` : ` in ${duration(seconds)}`
    print(
      `${count(done)} of ${count(all)} users (${Math.floor((100 * done) / all)} %), ${count(Math.round(rate))} a second${remaining}`,
    )
  }
}

export function count(number: number): string {
  return number.toLocaleString('en-US')
}

export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
