import type { z } from 'zod'
import type { AdminApi, AdminProcedureName, Role as AdminRole } from '#admin-api'
import type {
  ProfileItem as AnyItem,
  LoginProvider as AnyLoginProvider,
  Provider as AnyProvider,
  EndUserActionName,
} from '#contracts'

export type { DocumentedForm, SiteReference } from '#admin-api'

/** Input of a procedure, without defaults. */
export type AdminInput<N extends AdminProcedureName> = z.input<AdminApi[N]['input']>
/** Output of a procedure. Pages name it themselves, unless several of them share it. */
export type AdminOutput<N extends AdminProcedureName> = z.output<AdminApi[N]['output']>

export type ProcedureName = AdminProcedureName
type Change = {
  [N in ProcedureName]: AdminApi[N] extends { method: 'GET' } | { partOf: string } ? never : N
}[ProcedureName]
type AuditedRead = {
  [N in ProcedureName]: AdminApi[N] extends { returnsPersonalData: true } ? N : never
}[ProcedureName]
/** Actions in the audit trail. */
export type AuditAction =
  | Change
  | AuditedRead
  | 'signIn'
  | 'addPasskey'
  | 'acceptInvitation'
  | 'join'
  | 'joinByProvider'
  | 'changeRolesByProvider'
  | 'removeByProvider'
  | 'fetchExport'
  | 'confirmNoticeChannel'
  | 'completeSiteDeletion'
  | 'receiveSite'
  | 'openReceivedSite'
  | 'returnReceivedSite'
  | 'completeBulkChange'
  | EndUserActionName
export type Role = AdminRole
export type Provider = AnyProvider
export type LoginProvider = AnyLoginProvider

export type Account = AdminOutput<'listAccounts'>['accounts'][number]
export type Site = AdminOutput<'readSite'>
/** A field of the profile, or `follow`, `email`, `phone`. */
export type ProfileItem = AnyItem
export type ApiKey = AdminOutput<'listApiKeys'>['keys'][number]
export type Client = AdminOutput<'readClient'>
export type ProviderSettings = AdminOutput<'readProviderSettings'>
export type Login = AdminOutput<'listSiteLogins'>['logins'][number]
export type LoginDetails = AdminOutput<'readSiteLogin'>
export type ListedUser = AdminOutput<'listUsers'>['users'][number]
export type User = Omit<ListedUser, 'to_be_deleted'>
export type UserSummary = AdminOutput<'summarizeUsers'>['users'][number]
export type FoundUsers = AdminOutput<'findUsers'>
export type DeletedUser = AdminOutput<'listErasures'>['erasures'][number]
export type DeletedUserReceipt = AdminOutput<'readErasureReceipt'>
export type HeldData = AdminOutput<'readHeldData'>
export type UserDetail = AdminOutput<'readUser'>
export type BulkChange = AdminOutput<'requestBulkChange'>
export type UserExport = AdminOutput<'requestExport'>
export type UserImport = AdminOutput<'readImport'>
export type Webhook = AdminOutput<'readWebhook'>
export type SiteHosts = AdminOutput<'readSiteHosts'>
export type SiteHost = SiteHosts['hosts'][number]
export type SiteAccountPage = AdminOutput<'readAccountPage'>
export type TermsDocument = AdminOutput<'readTerms'>['documents'][number]
export type SiteLook = AdminOutput<'readLook'>
export type Look = SiteLook['draft']
export type Theme = Look['theme']
export type NoticeChannel = AdminOutput<'readNoticeChannel'>
export type NoticeKind = NoticeChannel['kinds'][number]
export type MemberSignIn = AdminOutput<'readMemberSignIn'>
export type Member = AdminOutput<'readMe'>['member']
export type AuditStream = AdminOutput<'readAuditStream'>
export type AuditEntry = AdminOutput<'listAudit'>['entries'][number]

/** Identifies a site in procedures. */
