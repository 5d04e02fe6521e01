import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi, callListApi, type PageParams } from "../../api/client";
import { every } from "../../api/query-client";

export type ServiceInfo = {
	baseUrl: string;
	/** The tenant `acme` is at `acme.<tenantDomain>`. `null` if it is at `/t/acme`. */
	tenantDomain: string | null;
	/** `null` if the service is in one place. */
	region: { name: string; others: { name: string; url: string }[] } | null;
	database: "sqlite" | "postgres" | "mysql";
	redis: boolean;
	version: string;
	/** The version of Node. */
	node: string;
	/** `none`: nothing that needs an email works. */
	mail: "smtp" | "outbox" | "none";
	/** Whether the service keeps emails instead of sending them. */
	outbox: boolean;
	/** Roles of tenants' users that this service adds. */
	tenantRoles: string[];
	/** Scopes of APIs that applications can have. */
	apiScopes: string[];
	/** Whether applications can bind their tokens to a key. */
	dpop: boolean;
	/** Whether tenants can connect a directory. */
	scim: boolean;
	/** Whether tenants can connect a SAML identity provider. */
	saml: boolean;
	policy: PolicyLimits;
};

/** What a tenant's policy can choose from, and which rules of the service hold in any case. */
export type PolicyLimits = {
	methods: string[];
	minPasswordLength: number;
	maxPasswordLength: number;
	/** In seconds. */
	sessionLifetime: number;
	secondFactor: boolean;
};

type Overview = {
	tenants: number;
	users: number;
	/** Oldest first. `day` has the form `2026-11-15` and is in UTC. */
	days: { day: string; signIns: number; failures: number; signUps: number }[];
};

export type ServiceHealth = {
	/** `degraded`: people can sign in, but not everything works. */
	status: "ready" | "degraded" | "unavailable" | "stopping";
	checks: Record<string, "ok" | "failed" | "read-only" | "not configured">;
	version: string;
	/** Of the server that responded. */
	uptimeSeconds: number;
	email: ServiceInfo["mail"];
	/** Emails that could not be sent, since the server started. */
	failedEmails: number;
	/** `null` without a log collector. */
	streamLagSeconds: number | null;
	/** The names of jobs whose last run failed. `null` if the database does not respond. */
	failedJobs: string[] | null;
};

type NamedTenant = { id: string; name: string };

/** Tenants by what operators look at, at most five of each. */
export type TenantActivity = {
	/** Days in UTC, such as `2026-11-15`. */
	since: string;
	until: string;
	failing: { tenant: NamedTenant; signIns: number; failures: number; errors: number }[];
	busiest: { tenant: NamedTenant; signIns: number }[];
	slowest: { tenant: NamedTenant; requests: number; averageMilliseconds: number }[];
};

export type TenantCounts = {
	id: string;
	/** 1,000 at most. */
	users: number;
	hasMoreUsers: boolean;
	/** When somebody last signed in, or failed to. */
	lastActivityAt: string | null;
};

export type ServiceJobs = {
	/** In days. `null`: kept forever. */
	retention: { auditEvents: number | null; signIns: number; webhookDeliveries: number };
	jobs: Job[];
	/** `null` without a log collector. */
	eventStream: EventStream | null;
};

/** What waits for the log collector. */
export type EventStream = {
	origin: string;
	format: "otlp" | "json";
	waiting: number;
	/** When the oldest event happened that waits. */
	oldest: string | null;
	/** For how long it has waited, by the clock of the service. */
	lagSeconds: number;
};

export type Job = {
	name: string;
	/** `0`: never by itself. */
	everySeconds: number;
	/** `null` if it was never done, or if each server does a part. */
	lastRun: {
		finishedAt: string;
		seconds: number;
		hasFailed: boolean;
		report: Record<string, number>;
	} | null;
};

export type OutboxEmail = { id: number; to: string; subject: string; text: string; sentAt: string };

/** A user of any tenant, or of the platform. */
export type FoundUser = {
	id: string;
	name: string;
	email: string;
	tenant: { id: string; name: string } | null;
};

/** The shortest text that the service searches for. */
export const MIN_USER_SEARCH_LENGTH = 2;

export type AuditFilters = {
	tenantId?: string;
	action?: string;
	actorId?: string;
	targetId?: string;
	since?: string;
	until?: string;
};

export type AuditEvent = {
	id: string;
	createdAt: string;
	action: string;
	/** `null` for what concerns no tenant. */
	tenantId: string | null;
	actor: { kind: string; id: string | null; name?: string | null };
	targetId: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	detail: Record<string, unknown> | null;
	/** `null` if it was deleted. */
	tenantName: string | null;
	/** The email of the user, if the actor or the target is one. */
	actorEmail: string | null;
	targetEmail: string | null;
};

export type AuditQuery = AuditFilters & PageParams;

export const OVERVIEW_KEY = ["overview"];
export const AUDIT_KEY = ["audit"];

export function serviceCalls(client: ApiClient) {
	/** Calls an endpoint of the service that is not part of Better Auth. */
	const callService = <Data>(path: `/service/${string}`, query: Record<string, string> = {}) =>
		callApi(client.$fetch<Data>(path, { baseURL: location.origin, query }));

	const listAuditEvents = ({ search: _, ...query }: AuditQuery) =>
		callListApi<AuditEvent>((fetchOptions) =>
			client.$fetch("/service/audit", { baseURL: location.origin, query, ...fetchOptions }),
		);

	return {
		serviceInfoQuery: queryOptions({
			queryKey: ["service-info"],
			queryFn: () => callService<ServiceInfo>("/service/info"),
		}),

		overviewQuery: queryOptions({
			queryKey: OVERVIEW_KEY,
			queryFn: () => callService<Overview>("/service/overview"),
			refetchInterval: every(60_000),
		}),

		healthQuery: queryOptions({
			queryKey: ["health"],
			queryFn: () => callService<ServiceHealth>("/service/health"),
			refetchInterval: every(30_000),
		}),

		/** @param period one day, or a number of days up to today */
		tenantActivityQuery: (period: { day: string } | { days: string }) =>
			queryOptions({
				queryKey: ["tenant-activity", period],
				queryFn: () => callService<TenantActivity>("/service/tenant-activity", period),
				placeholderData: keepPreviousData,
				refetchInterval: every(60_000),
			}),

		/** By the id of the tenant. */
		tenantCountsQuery: (ids: string[]) =>
			queryOptions({
				queryKey: ["tenant-counts", ids],
				queryFn: async () => {
					const query = { ids: ids.join(",") };
					const counts = await callService<TenantCounts[]>("/service/tenant-counts", query);
					return new Map(counts.map((one) => [one.id, one]));
				},
				enabled: ids.length > 0,
			}),

		serviceJobsQuery: queryOptions({
			queryKey: ["service-jobs"],
			queryFn: () => callService<ServiceJobs>("/service/jobs"),
			refetchInterval: every(60_000),
		}),

		/** `sent` is false if the email is only in the outbox. */
		sendTestEmail: (to: string) =>
			callApi(
				client.$fetch<{ sent: boolean }>("/service/mail-test", {
					baseURL: location.origin,
					method: "POST",
					body: { to },
				}),
			),

		outboxQuery: queryOptions({
			queryKey: ["outbox"],
			queryFn: () => callService<OutboxEmail[]>("/service/outbox"),
			refetchInterval: every(5000),
		}),

		userSearchQuery: (search: string) =>
			queryOptions({
				queryKey: ["user-search", search],
				queryFn: () =>
					callListApi<FoundUser>((fetchOptions) =>
						client.$fetch("/service/users", {
							baseURL: location.origin,
							query: { search },
							...fetchOptions,
						}),
					),
				enabled: search.length >= MIN_USER_SEARCH_LENGTH,
				placeholderData: keepPreviousData,
			}),

		listAuditEvents,

		auditQuery: (query: AuditQuery) =>
			queryOptions({
				queryKey: [...AUDIT_KEY, query],
				queryFn: () => listAuditEvents(query),
				placeholderData: keepPreviousData,
			}),
	};
}
