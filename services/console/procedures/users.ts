import type { userProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const users = {
  listUsers: unwritten,
  findUsers: unwritten,
  readUser: unwritten,
  deleteUserProfile: unwritten,
  deleteUser: unwritten,
  unlinkProvider: unwritten,
  previewMerge: unwritten,
  mergeUsers: unwritten,
} satisfies Runs<keyof typeof userProcedures>
