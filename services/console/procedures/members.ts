import type { memberProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const members = {
  readMe: unwritten,
  endSession: unwritten,
  removePasskey: unwritten,
  listMembers: unwritten,
  inviteMember: unwritten,
  withdrawInvitation: unwritten,
  changeMember: unwritten,
  removeMember: unwritten,
  listTokens: unwritten,
  issueToken: unwritten,
  revokeToken: unwritten,
} satisfies Runs<keyof typeof memberProcedures>
