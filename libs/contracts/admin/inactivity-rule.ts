import { InactivityPreview, InactivityRule, inactivitySettings } from '../objects/inactivity-rule.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

const path = '/accounts/{account}/sites/{site_id}/inactivity-rule'
const order = { invalid_request: '`notice_days` is not less than `delete_after_days`.' }

export const inactivityRuleProcedures = adminProcedures({
  readInactivityRule: {
    method: 'GET',
    path,
    summary: 'When users who no longer log in are deleted',
    role: 'viewer',
    versioned: true,
    servedBy: 'identity',
    input: SiteReference,
    output: InactivityRule,
  },
  changeInactivityRule: {
    method: 'PUT',
    path,
    summary:
      'Change when users who no longer log in are deleted. Announced deletions to which the rule no longer applies are canceled',
    role: 'owner',
    sensitive: true,
    versioned: true,
    servedBy: 'identity',
    reader: 'readInactivityRule',
    form: 'inactivity_rule',
    input: SiteReference.extend(inactivitySettings),
    output: InactivityRule,
    faults: order,
  },
  previewInactivityRule: {
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the users whose deletion a rule would announce today. Nothing is changed',
    role: 'viewer',
    readOnly: true,
    servedBy: 'identity',
    input: SiteReference.extend(inactivitySettings),
    output: InactivityPreview,
    faults: order,
  },
})
