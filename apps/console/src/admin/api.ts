import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi, callListApi, type Page } from "../api/client";
import { type ConsoleApi, createConsoleApi } from "../operator/api/context";
import {
	AUDIT_KEY,
	type AuditEvent,
	type AuditQuery,
	type ServiceInfo,
} from "../operator/api/service";

/**
 * The calls of the console, for the tenant's own administrators: only endpoints that their session may
 * call, and no route below `/service`, which belongs to operators.
 */
export function createAdminApi(client: ApiClient, mayListUsers: boolean): ConsoleApi {
	const listAuditEvents = async ({ search: _, ...query }: AuditQuery) => {
		const page = await callListApi((fetchOptions) =>
			client.tenant.audit.list({ query, fetchOptions }),
		);
		return mayListUsers ? withEmails(client, page) : withoutEmails(page);
	};
	return {
		...createConsoleApi(client),
		serviceInfoQuery: queryOptions({
			queryKey: ["service-info"],
			queryFn: async () => readServiceInfo(),
			staleTime: Number.POSITIVE_INFINITY,
		}),
		listAuditEvents,
		auditQuery: (query) =>
			queryOptions({
				queryKey: [...AUDIT_KEY, query],
				queryFn: () => listAuditEvents(query),
				placeholderData: keepPreviousData,
			}),
	};
}

/** Reads the `<meta>` tag that the server wrote. */
function readServiceInfo(): ServiceInfo {
	const { content } = document.querySelector<HTMLMetaElement>(
		'meta[name="service-info"]',
	) as HTMLMetaElement;
	const known: Omit<ServiceInfo, "outbox" | "tenantRoles"> = JSON.parse(content);
	// Only operators read emails of the outbox, and `/tenant/permissions` has the roles.
	return { ...known, outbox: false, tenantRoles: [] };
}

type PlainEvent = Omit<AuditEvent, "tenantName" | "actorEmail" | "targetEmail">;

const NO_NAMES = { tenantName: null, actorEmail: null, targetEmail: null };

const withoutEmails = ({ items, ...page }: Page<PlainEvent>): Page<AuditEvent> => ({
	...page,
	items: items.map((event) => ({ ...event, ...NO_NAMES })),
});

/** One call accepts this many ids. */
const MAX_IDS_PER_CALL = 100;

/** Adds the emails of users who still exist. */
async function withEmails(client: ApiClient, page: Page<PlainEvent>): Promise<Page<AuditEvent>> {
	const ids = [
		...new Set(
			page.items.flatMap(({ actor, targetId }) => [actor.id ?? [], targetId ?? []].flat()),
		),
	];
	const emails = new Map<string, string>();
	for (let start = 0; start < ids.length; start += MAX_IDS_PER_CALL) {
		const part = ids.slice(start, start + MAX_IDS_PER_CALL);
		const query = { ids: part.join(","), limit: MAX_IDS_PER_CALL, total: "none" as const };
		const users = await callApi(client.tenant.user.list({ query }));
		for (const { id, email } of users) emails.set(id, email);
	}
	return {
		...page,
		items: page.items.map((event) => ({
			...event,
			...NO_NAMES,
			actorEmail: emails.get(event.actor.id ?? "") ?? null,
			targetEmail: emails.get(event.targetId ?? "") ?? null,
		})),
	};
}
