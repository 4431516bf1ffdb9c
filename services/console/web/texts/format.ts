import { useMemo } from 'react'
import { useLanguage } from './index.tsx'

/** Formats numbers and times in the selected language and the browser's time zone. */
export function useFormat() {
  const { language } = useLanguage()
  return useMemo(() => {
    const number = new Intl.NumberFormat(language)
    const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
    const change = new Intl.NumberFormat(language, {
      style: 'percent',
      maximumFractionDigits: 0,
      signDisplay: 'always',
    })
    const bytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
    const inUnit = (unit: string, digits: number) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits })
    const durations = {
      milliseconds: inUnit('millisecond', 0),
      seconds: inUnit('second', 1),
      minutes: inUnit('minute', 1),
    }
    const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
    const second = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
    const exact = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' })
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    return {
      number: (value: number) => number.format(value),
      percent: (share: number) => percent.format(share),
      /** With a sign: "+12%". */
      change: (share: number) => change.format(share),
      kilobytes: (count: number) => bytes.format(Math.ceil(count / 1_000)),
      /** "350 ms", "1.2 sec", "3 min". */
      duration: (milliseconds: number) => {
        if (milliseconds < 1_000) return durations.milliseconds.format(milliseconds)
        if (milliseconds < 120_000) return durations.seconds.format(milliseconds / 1_000)
        return durations.minutes.format(milliseconds / 60_000)
      },
      moment: (at: string) => moment.format(new Date(at)),
      second: (at: string) => second.format(new Date(at)),
      exact: (at: string) => exact.format(new Date(at)),
      /** "3 days ago", "in 2 hours". */
      relative: (at: string) => {
        const seconds = (Date.parse(at) - Date.now()) / 1_000
        for (const [unit, length] of units) {
          if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
        }
        return relative.format(0, 'minute')
      },
    }
  }, [language])
}

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
