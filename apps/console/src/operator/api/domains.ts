import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

const listDomains = (client: ApiClient, tenantId: string) =>
	callApi(client.tenant.domain.list({ query: { tenantId } }));

export type Domain = Awaited<ReturnType<typeof listDomains>>[number];

export const domainsKey = (tenantId: string) => ["domains", tenantId];

export const domainCalls = (client: ApiClient) => ({
	domainsQuery: (tenantId: string) =>
		queryOptions({
			queryKey: domainsKey(tenantId),
			queryFn: () => listDomains(client, tenantId),
		}),

	addDomain: (tenantId: string, input: { host: string; purpose: Domain["purpose"] }) =>
		callApi(client.tenant.domain.add({ tenantId, ...input })),
	/** Looks up the DNS record now. */
	verifyDomain: (tenantId: string, domainId: string) =>
		callApi(client.tenant.domain.verify({ tenantId, domainId })),
	updateDomain: (
		tenantId: string,
		domainId: string,
		change: { primary?: true; discoverable?: boolean },
	) => callApi(client.tenant.domain.update({ tenantId, domainId, ...change })),
	removeDomain: (tenantId: string, domainId: string) =>
		callApi(client.tenant.domain.remove({ tenantId, domainId })),
});
