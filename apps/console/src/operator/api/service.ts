import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi, callListApi, type PageParams } from "../../api/client";
import { client } from "./client";

type ServiceInfo = {
	baseUrl: string;
	/** The tenant `acme` is at `acme.<tenantDomain>`. `null` if it is at `/t/acme`. */
	tenantDomain: string | null;
	/** Whether the service keeps emails instead of sending them. */
	outbox: boolean;
};

type Overview = {
	tenants: number;
	users: number;
	/** Oldest first. `day` has the form `2026-11-15` and is in UTC. */
	days: { day: string; signIns: number; failures: number; signUps: number }[];
};

export type OutboxEmail = { id: number; to: string; subject: string; text: string; sentAt: string };

/** Calls an endpoint of the service that is not part of Better Auth. */
const callService = <Data>(path: `/service/${string}`) =>
	callApi(client.$fetch<Data>(path, { baseURL: location.origin }));

export const serviceInfoQuery = queryOptions({
	queryKey: ["service-info"],
	queryFn: () => callService<ServiceInfo>("/service/info"),
});

export const overviewQuery = queryOptions({
	queryKey: ["overview"],
	queryFn: () => callService<Overview>("/service/overview"),
	refetchInterval: 60_000,
});

export const outboxQuery = queryOptions({
	queryKey: ["outbox"],
	queryFn: () => callService<OutboxEmail[]>("/service/outbox"),
	refetchInterval: 5000,
});

export type AuditFilters = {
	tenantId?: string;
	action?: string;
	actorId?: string;
	targetId?: string;
	since?: string;
	until?: string;
};

const listAuditEvents = ({ search: _, ...query }: AuditFilters & PageParams) =>
	callListApi((fetchOptions) => client.tenant.audit.list({ query, fetchOptions }));

export type AuditEvent = Awaited<ReturnType<typeof listAuditEvents>>["items"][number];

export const AUDIT_KEY = ["audit"];

export const auditQuery = (query: Parameters<typeof listAuditEvents>[0]) =>
	queryOptions({
		queryKey: [...AUDIT_KEY, query],
		queryFn: () => listAuditEvents(query),
		placeholderData: keepPreviousData,
	});
