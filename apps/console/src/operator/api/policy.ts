import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

const getPolicy = (client: ApiClient, tenantId: string) =>
	callApi(client.tenant.policy.get({ query: { tenantId } }));

export type Policy = Awaited<ReturnType<typeof getPolicy>>;

export const policyCalls = (client: ApiClient) => ({
	policyQuery: (tenantId: string) =>
		queryOptions({
			queryKey: ["policy", tenantId],
			queryFn: () => getPolicy(client, tenantId),
		}),

	updatePolicy: (tenantId: string, policy: Policy) =>
		callApi(client.tenant.policy.update({ tenantId, ...policy })),
});
