import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { InactivityPreview, InactivityRule, InactivitySettings } from '../objects/inactivity-rule.ts'
import { Count, Site } from '../scalars.ts'

const settings = InactivitySettings.extend({ site: Site })

/** The deletion of users who no longer log in. */
export const inactivityRuleProcedures = {
  /** The rule of a site; off with revision 0 if none was ever saved. */
  readInactivityRule: { input: z.object({ site: Site }), output: InactivityRule, faults: [], repeatable: true },
  /** `invalid_parameter`: `notice_days` is not less than `delete_after_days`. */
  changeInactivityRule: {
    input: settings.extend({ expected_revision: Count }),
    output: InactivityRule,
    faults: ['entity_not_found', 'changed_meanwhile', 'invalid_parameter'],
  },
  /** Counts the users whose deletion the given rule would announce today; those whose deletion is announced or requested already are not counted. */
  previewInactivityRule: {
    input: settings,
    output: InactivityPreview,
    faults: ['invalid_parameter'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
