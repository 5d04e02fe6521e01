export type { DomainPurpose, TenantDomain } from "./domain";
export type { TenantDomainEvent } from "./event-types";
export type { TenantDomainsOptions } from "./options";
export { type DomainAction, tenantDomains } from "./plugin";
export { type RecheckOptions, type RecheckReport, recheckDomains } from "./recheck";
