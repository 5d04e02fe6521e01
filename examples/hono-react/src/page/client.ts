import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "better-auth-tenant/client";

/** The tenant of the page is the first part of its path: `/acme`. */
export const slug = location.pathname.split("/")[1] ?? "";

let tenantId: string | undefined;

export const client = createAuthClient({
	plugins: [tenantAuthClient({ tenant: () => tenantId })],
});

export type Workspace = Awaited<ReturnType<typeof enterWorkspace>>;

/** Finds out what the sign-in page of the tenant shows. All later calls name this tenant. */
export async function enterWorkspace() {
	const { data } = await client.tenant.loginOptions({ query: { slug } });
	tenantId = data?.tenant.id;
	return data;
}

/** Calls a route of this app. */
export async function callApi<T>(path: string, body?: object): Promise<T> {
	const response = await fetch(path, {
		method: body ? "POST" : "GET",
		headers: { "content-type": "application/json", "x-tenant-id": tenantId ?? "" },
		body: body ? JSON.stringify(body) : null,
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.message);
	return answer;
}
