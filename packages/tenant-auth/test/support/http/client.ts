import { createAuthClient } from "better-auth/client";
import {
	type TenantAuthClientOptions,
	tenantAuthClient,
	tenantChooserClient,
	tenantDomainsClient,
	tenantImportsClient,
	tenantInvitationsClient,
	tenantLinksClient,
	tenantOpenIdClient,
	tenantSignInsClient,
	tenantWebhooksClient,
} from "better-auth-tenant/client";
import { type Instance, ORIGIN } from "../worlds/instance";
import { CookieJar } from "./cookie-jar";

interface Sent {
	method: string;
	path: string;
	headers: Headers;
}

/** A typed client whose requests go straight to the instance, with cookies as a browser keeps them. */
export function makeClient(
	{ auth }: Pick<Instance, "auth">,
	options: TenantAuthClientOptions & { headers?: Record<string, string> } = {},
) {
	const { headers = {}, ...plugin } = options;
	const jar = new CookieJar();
	const sent: Sent[] = [];
	const client = createAuthClient({
		baseURL: ORIGIN,
		plugins: [
			tenantAuthClient(plugin),
			tenantChooserClient(),
			tenantDomainsClient(),
			tenantInvitationsClient(),
			tenantLinksClient(),
			tenantOpenIdClient(),
			tenantImportsClient(),
			tenantSignInsClient(),
			tenantWebhooksClient(),
		],
		fetchOptions: {
			headers,
			customFetchImpl: async (input, init) => {
				const request = new Request(input, init);
				const url = new URL(request.url);
				const cookie = jar.header(url, { crossSite: false, method: request.method });
				if (cookie) request.headers.set("cookie", cookie);
				request.headers.set("origin", ORIGIN);
				sent.push({
					method: request.method,
					path: url.pathname.replace("/api/auth", ""),
					headers: request.headers,
				});
				const response = await auth.handler(request);
				jar.store(url, response);
				return response;
			},
		},
	});
	return { client, sent };
}
