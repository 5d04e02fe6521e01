import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";
import type { SignUpField, SignUpFields } from "../../api/sign-up-fields";

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

	signUpFieldsQuery: (tenantId: string) =>
		queryOptions({
			queryKey: ["policy", tenantId, "sign-up-fields"],
			queryFn: () =>
				callApi(client.$fetch<SignUpFields>("/tenant/sign-up-fields/get", { query: { tenantId } })),
		}),

	setSignUpFields: (tenantId: string, fields: SignUpField[]) =>
		callApi(
			client.$fetch<SignUpFields>("/tenant/sign-up-fields/set", {
				method: "POST",
				body: { tenantId, fields },
			}),
		),
});
