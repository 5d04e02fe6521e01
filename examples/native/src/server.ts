import { createServer } from "node:http";
import { toNodeHandler } from "better-auth/node";
import { auth, origin, port } from "./auth.js";
import { clientSecret, startIdentityProvider } from "./identity-provider.js";

const providerId = "oidc:staff";
const acme = await auth.api.getTenant({ query: { slug: "acme" } });

const issuer = await startIdentityProvider(
	Number(process.env.PROVIDER_PORT ?? 4000),
	`${origin}/api/auth/tenant/callback/${providerId}:${acme.id}`,
);

// Acme brings its own identity provider. Globex has none.
await auth.api.registerTenantOAuthConfig({
	body: {
		tenantId: acme.id,
		providerId,
		// The first client is that of the website. ID tokens are accepted if they are for the app.
		clientId: ["website", "app"],
		clientSecret,
		options: { issuer, name: "Acme staff" },
	},
});

/**
 * The app opens this in the browser of the phone. So the browser has the cookies of the sign-in when it
 * comes back from the provider. Then `expo()` adds the session to the deep link.
 */
async function startSignIn({ searchParams }: URL): Promise<Response> {
	const { status, headers } = await auth.api.signInSocialTenant({
		body: {
			tenantId: searchParams.get("tenant") ?? "",
			provider: searchParams.get("provider") ?? "",
			callbackURL: "myapp:///home",
		},
		asResponse: true,
	});
	return new Response(null, { status: status === 200 ? 302 : status, headers });
}

const answer = toNodeHandler(async (request: Request) => {
	const url = new URL(request.url);
	return url.pathname === "/sign-in" ? startSignIn(url) : auth.handler(request);
});

const server = createServer((request, response) => {
	// Rate limits count addresses. What a client sends in this header does not count. Behind a proxy, use
	// the header that the proxy sets.
	request.headers["x-forwarded-for"] = request.socket.remoteAddress;
	return answer(request, response);
});

server.listen(port, () => {
	console.log(`Run the app in another terminal: npm run app --prefix ${process.cwd()}`);
	console.log(`Open ${origin}`);
});
