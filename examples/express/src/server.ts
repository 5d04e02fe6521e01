import { isAPIError } from "better-auth/api";
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import express, { type Request as FormRequest, type Response as PageResponse } from "express";
import { auth, hosts, port } from "./auth.js";
import { accountPage, homePage, notFoundPage, signInPage } from "./pages.js";

const app = express();

// Rate limits count addresses. What a client sends in this header does not count. Behind a proxy, set
// Express's `trust proxy`.
app.use((request, _response, next) => {
	request.headers["x-forwarded-for"] = request.ip;
	next();
});

// Better Auth's own endpoints, for links in emails, social sign-in and clients in a browser.
// Before express.urlencoded(): Better Auth reads the body itself.
app.all("/api/auth/*splat", toNodeHandler(auth));

app.use(express.urlencoded());

/** The same path has another page at each host. */
app.get("/", async (request, response) => {
	if (hosts.isPlatformHost(request.headers.host ?? "")) return choose(request, response);
	const tenant = await findTenant(request);
	if (!tenant) return void response.status(404).send(notFoundPage());
	const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) });
	response.send(session ? accountPage(tenant.name, session.user) : signInPage(tenant.name));
});

function choose(request: FormRequest, response: PageResponse) {
	const slug = String(request.query.workspace ?? "").trim();
	// Anything else could lead to another site.
	if (/^[a-z\d-]+$/.test(slug)) return response.redirect(hosts.originOf(slug));
	response.send(homePage());
}

app.post("/sign-in", (request, response) => submit(request, response, "/tenant/sign-in/email"));

app.post("/sign-up", (request, response) => submit(request, response, "/tenant/sign-up/email"));

app.post("/sign-out", (request, response) => submit(request, response, "/sign-out"));

/**
 * Sends a form to an endpoint of Better Auth, passes its cookies on, and shows the tenant's page or
 * the error. Unlike calls of `auth.api`, this counts for Better Auth's rate limits.
 */
async function submit(request: FormRequest, response: PageResponse, endpoint: string) {
	const tenant = await findTenant(request);
	if (!tenant) return void response.status(404).send(notFoundPage());
	const origin = `${hosts.baseURL.protocol}://${request.headers.host}`;
	// Forms of other sites must not sign anybody in or out. The page of another tenant is another site.
	if (request.headers.origin !== origin) {
		return void response.status(403).send("This form was sent by another site.");
	}
	const headers = fromNodeHeaders(request.headers);
	headers.set("content-type", "application/json");
	headers.delete("content-length");
	const answer = await auth.handler(
		new Request(`${origin}/api/auth${endpoint}`, {
			method: "POST",
			headers,
			body: JSON.stringify(request.body ?? {}),
		}),
	);
	response.setHeader("set-cookie", answer.headers.getSetCookie());
	if (answer.ok) return response.redirect(303, "/");
	const { message } = (await answer.json()) as { message?: string };
	response.status(answer.status).send(signInPage(tenant.name, message ?? "That did not work."));
}

/** The tenant of the host. */
async function findTenant(request: FormRequest) {
	try {
		const headers = fromNodeHeaders(request.headers);
		return (await auth.api.tenantLoginOptions({ headers })).tenant;
	} catch (error) {
		if (isAPIError(error) && error.statusCode < 500) return null;
		throw error;
	}
}

app.listen(port, () => console.log(`Open ${hosts.baseURL.fallback}`));
