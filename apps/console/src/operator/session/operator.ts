import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { callApi, hasCode } from "../../api/client";
import { client, findManagementKey, forgetManagementKey } from "../api/client";

export type Operator =
	| { kind: "key" }
	| { kind: "admin"; id: string; email: string }
	/** Signed in, but not a platform admin. */
	| { kind: "other-user"; id: string; email: string }
	| { kind: "nobody" };

export const operatorQuery = queryOptions({
	queryKey: ["operator"],
	queryFn: findOperator,
	staleTime: Number.POSITIVE_INFINITY,
});

export const useOperator = () => useQuery(operatorQuery);

async function findOperator(): Promise<Operator> {
	if (findManagementKey() !== null) {
		if (await mayManage()) return { kind: "key" };
		forgetManagementKey();
	}
	const session = await callApi(client.getSession()).catch(() => null);
	if (!session) return { kind: "nobody" };
	const { id, email } = session.user;
	return { kind: (await mayManage()) ? "admin" : "other-user", id, email };
}

type FetchOptions = NonNullable<Parameters<typeof client.tenant.list>[0]>["fetchOptions"];

/** Whether the caller may list tenants. */
const mayManage = (fetchOptions: FetchOptions = {}): Promise<boolean> =>
	callApi(client.tenant.list({ query: { limit: 1 }, fetchOptions })).then(
		() => true,
		(error: unknown) => {
			if (isManagementRejected(error)) return false;
			throw error;
		},
	);

/** Whether the service accepts a key. The browser's session does not count. */
export const isManagementKey = (key: string): Promise<boolean> =>
	mayManage({ auth: { type: "Bearer", token: key }, credentials: "omit" });

export const isManagementRejected = (error: unknown): boolean =>
	hasCode(error, "TENANT_MANAGEMENT_NOT_ALLOWED");

export async function signOut(queryClient: QueryClient, operator: Operator): Promise<void> {
	if (operator.kind === "key") forgetManagementKey();
	else await callApi(client.signOut());
	await queryClient.resetQueries(operatorQuery);
	// The next operator must not see data of this one.
	const [operatorKey] = operatorQuery.queryKey;
	queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== operatorKey });
}
