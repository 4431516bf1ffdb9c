import { z } from 'zod'
import { Text, Timestamp } from '../scalars.ts'
import { Member } from './members.ts'
import { adminProcedures } from './procedure.ts'

const name = Text.trim().min(1).max(100)

/** Operators, their invitations, and operator tokens. */
export const operatorProcedures = adminProcedures({
  listOperators: {
    method: 'GET',
    path: '/operators',
    summary: 'Operators',
    role: 'operator',
    input: z.object({}),
    output: z.object({
      operators: z.array(Member),
      invitations: z.array(z.object({ invitation_id: z.uuid(), name, expires_at: Timestamp })),
    }),
  },
  inviteOperator: {
    method: 'POST',
    path: '/operators/invitations',
    summary: 'Invite an operator by a single-use link. With the name of an existing operator, the link adds a passkey',
    role: 'operator',
    sensitive: true,
    help: { name: 'name of the invited operator; an existing name adds a passkey to that operator' },
    input: z.object({ name }),
    output: z.object({ invitation_id: z.uuid(), link: z.string(), expires_at: Timestamp }),
  },
  withdrawOperatorInvitation: {
    method: 'DELETE',
    path: '/operators/invitations/{invitation_id}',
    summary: 'Withdraw an invitation of an operator',
    role: 'operator',
    input: z.object({ invitation_id: z.uuid() }),
    output: z.object({}),
  },
  removeOperator: {
    method: 'DELETE',
    path: '/operators/{member_id}',
    summary: 'Remove an operator. Their sessions and the tokens they issued as an operator are revoked immediately',
    role: 'operator',
    sensitive: true,
    input: z.object({ member_id: z.uuid() }),
    output: z.object({}),
    faults: { conflict: 'It is the last operator.' },
  },
  listOperatorTokens: {
    method: 'GET',
    path: '/operators/tokens',
    summary: 'Operator tokens, which have full access to every account',
    role: 'operator',
    input: z.object({}),
    output: z.object({
      tokens: z.array(
        z.object({
          token_id: z.uuid(),
          name,
          created_at: Timestamp,
          expires_at: Timestamp,
          last_used_at: Timestamp.nullable(),
        }),
      ),
    }),
  },
  issueOperatorToken: {
    method: 'POST',
    path: '/operators/tokens',
    summary: 'Issue an operator token, which has full access to every account. It is returned in this response only',
    role: 'operator',
    sensitive: true,
    input: z.object({ name, expires_in_days: z.int().min(1).max(366).default(30) }),
    output: z.object({ token_id: z.uuid(), token: z.string(), expires_at: Timestamp }),
    faults: { invalid_request: 'It would expire after the token that issues it.' },
  },
  revokeOperatorToken: {
    method: 'DELETE',
    path: '/operators/tokens/{token_id}',
    summary: 'Revoke an operator token',
    role: 'operator',
    input: z.object({ token_id: z.uuid() }),
    output: z.object({}),
  },
})
