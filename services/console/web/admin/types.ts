import type { z } from 'zod'
import type { AdminApi, AdminProcedureName, Role as AdminRole } from '#admin-api'
import type { ProfileItem as AnyItem, LoginProvider as AnyLoginProvider, Provider as AnyProvider } from '#contracts'

/** Input of a procedure, without defaults. */
export type Input<N extends AdminProcedureName> = z.input<AdminApi[N]['input']>
/** Output of a procedure. */
export type Output<N extends AdminProcedureName> = z.output<AdminApi[N]['output']>

export type ProcedureName = AdminProcedureName
type Change = { [N in ProcedureName]: AdminApi[N]['method'] extends 'GET' ? never : N }[ProcedureName]
type AuditedRead = {
  [N in ProcedureName]: AdminApi[N] extends { returnsPersonalData: true } ? N : never
}[ProcedureName]
/** Actions in the audit trail. */
export type AuditAction = Change | AuditedRead | 'signIn' | 'addPasskey' | 'acceptInvitation' | 'join' | 'fetchExport'
export type Role = AdminRole
export type Provider = AnyProvider
export type LoginProvider = AnyLoginProvider

export type Account = Output<'listAccounts'>['accounts'][number]
export type Site = Output<'readSite'>
/** A field of the profile, or `follow`, `email`, `phone`. */
export type ProfileItem = AnyItem
export type ApiKey = Output<'listApiKeys'>['keys'][number]
export type Client = Output<'readClient'>
export type ProviderSettings = Output<'readProviderSettings'>
export type User = Output<'listUsers'>['users'][number]
export type UserDetail = Output<'readUser'>
export type UserExport = Output<'requestExport'>
export type Member = Output<'readMe'>['member']
export type AuditEntry = Output<'listAudit'>['entries'][number]

/** Identifies a site in procedures. */
export type SiteReference = { readonly account: string; readonly site_id: string }
