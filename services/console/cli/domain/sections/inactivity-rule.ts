import { z } from 'zod'
import { type InactivityRule, inactivitySettings } from '#contracts'
import { listChanges } from '../changes.ts'
import { describeSectionChange, type FileSection } from './section.ts'

const DesiredRule = z.strictObject({
  ...inactivitySettings,
  delete_after_days: inactivitySettings.delete_after_days.unwrap(),
})

/** When users who no longer log in are deleted; `false`: they are not. */
const DesiredSection = z.union([z.literal(false), DesiredRule])

const off = { delete_after_days: null, notice_days: 30, include_mapped: false } as const

export const inactivityRuleSection: FileSection<z.infer<typeof DesiredSection>, 'readInactivityRule'> = {
  schema: DesiredSection,
  reader: 'readInactivityRule',
  plan(place, desired, actual) {
    const before = actual === undefined ? off : toSettings(actual)
    const settings = desired === false ? { ...before, delete_after_days: null } : desired
    const changes = listChanges(settings, before)
    const step = describeSectionChange(place, {
      name: 'inactivity rule',
      isNew: before.delete_after_days === null,
      actual,
      changes,
    })
    return step && { procedure: 'changeInactivityRule', input: { ...place.site, ...settings }, ...step }
  },
  toDesired(actual) {
    const { delete_after_days, notice_days, include_mapped } = actual
    return delete_after_days === null ? undefined : { delete_after_days, notice_days, include_mapped }
  },
}

function toSettings({ delete_after_days, notice_days, include_mapped }: InactivityRule) {
  return { delete_after_days, notice_days, include_mapped }
}
