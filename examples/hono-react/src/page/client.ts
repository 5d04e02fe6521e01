import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "better-auth-tenant/client";

/** Calls the host of the page, which decides the tenant. */
export const client = createAuthClient({ plugins: [tenantAuthClient()] });

export type Workspace = NonNullable<Awaited<ReturnType<typeof findWorkspace>>["data"]>;

/** Finds out what the sign-in page of the tenant shows. At the host of the app itself, there is none. */
export const findWorkspace = () => client.tenant.loginOptions({ query: {} });

/** Calls a route of this app. */
export async function callApi<T>(path: string, body?: object): Promise<T> {
	const response = await fetch(path, {
		method: body ? "POST" : "GET",
		headers: { "content-type": "application/json" },
		body: body ? JSON.stringify(body) : null,
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.message);
	return answer;
}
