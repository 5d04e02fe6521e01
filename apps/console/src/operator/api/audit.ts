import { pageOf, type Wire } from "./answer";
import { client } from "./client";

export type AuditQuery = {
	tenantId?: string;
	action?: string;
	actorId?: string;
	targetId?: string;
	since?: string;
	until?: string;
	limit: number;
	offset: number;
};

export type AuditEvent = Wire<
	NonNullable<Awaited<ReturnType<typeof client.tenant.audit.list>>["data"]>[number]
>;

export const listAuditEvents = (query: AuditQuery) =>
	pageOf((fetchOptions) => client.tenant.audit.list({ query, fetchOptions }));
