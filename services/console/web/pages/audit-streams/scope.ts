import { call, type RequestOptions } from '../../admin/call.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminInput } from '../../admin/types.ts'

/** Whose streams: those of an account; undefined: of the whole installation. */
export type StreamOwner = string | undefined

const refreshMs = 5_000

export function useStreams(scope: StreamOwner) {
  const isOfAccount = scope !== undefined
  const options = { intervalMs: refreshMs }
  const ofAccount = useRead('listAuditStreams', { account: scope ?? '' }, { ...options, enabled: isOfAccount })
  const ofInstallation = useRead('listInstallationAuditStreams', {}, { ...options, enabled: !isOfAccount })
  return isOfAccount ? ofAccount : ofInstallation
}

export function useStream(scope: StreamOwner, streamId: string) {
  const isOfAccount = scope !== undefined
  const options = { intervalMs: refreshMs }
  const ofAccount = useRead(
    'readAuditStream',
    { account: scope ?? '', stream_id: streamId },
    { ...options, enabled: isOfAccount },
  )
  const ofInstallation = useRead(
    'readInstallationAuditStream',
    { stream_id: streamId },
    { ...options, enabled: !isOfAccount },
  )
  return isOfAccount ? ofAccount : ofInstallation
}

/** The procedures of the streams of a scope. */
export function streamProcedures(account: StreamOwner) {
  return {
    create: (input: AdminInput<'createInstallationAuditStream'>) =>
      account === undefined
        ? mutate('createInstallationAuditStream', input)
        : mutate('createAuditStream', { account, ...input }),
    read: (streamId: string) =>
      account === undefined
        ? call('readInstallationAuditStream', { stream_id: streamId })
        : call('readAuditStream', { account, stream_id: streamId }),
    change: (input: AdminInput<'changeInstallationAuditStream'>, options: RequestOptions) =>
      account === undefined
        ? mutate('changeInstallationAuditStream', input, options)
        : mutate('changeAuditStream', { account, ...input }, options),
    remove: (streamId: string, options: { readonly beforeRefresh: () => void }) =>
      account === undefined
        ? mutate('removeInstallationAuditStream', { stream_id: streamId }, options)
        : mutate('removeAuditStream', { account, stream_id: streamId }, options),
    rollSecret: (input: AdminInput<'rollInstallationAuditStreamSecret'>) =>
      account === undefined
        ? mutate('rollInstallationAuditStreamSecret', input)
        : mutate('rollAuditStreamSecret', { account, ...input }),
    test: (streamId: string) =>
      account === undefined
        ? call('testInstallationAuditStream', { stream_id: streamId })
        : call('testAuditStream', { account, stream_id: streamId }),
  }
}
