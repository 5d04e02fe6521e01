import type { DispatchedEvent } from "../../call/port/tenant-plugin";

/** The events of domains. Their data has the host name as `domain`. */
export const DOMAIN_EVENTS = {
	"domain.added": "A domain was added",
	"domain.verified": "A domain was verified",
	"domain.updated": "A domain was changed",
	"domain.removed": "A domain was removed",
	"domain.lost": "The record of a domain is gone, or another tenant has verified it",
} as const;

/** An event of a domain, for the option `onEvent`. */
export interface TenantDomainEvent extends DispatchedEvent {
	type: keyof typeof DOMAIN_EVENTS;
	data: { domain: string };
}
