import { isAPIError } from "better-auth/api";
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import express, { type Request as FormRequest, type Response as PageResponse } from "express";
import { auth, origin, port } from "./auth.js";
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

// Forms of other sites must not sign anybody in or out.
app.use((request, response, next) => {
	if (request.method === "GET" || request.headers.origin === origin) next();
	else response.status(403).send("This form was sent by another site.");
});

app.get("/", (request, response) => {
	const slug = String(request.query.workspace ?? "").trim();
	// Anything else could lead to another site.
	if (/^[a-z\d-]+$/.test(slug)) return void response.redirect(`/${slug}`);
	response.send(homePage());
});

app.get("/:slug", async (request, response) => {
	const tenant = await findTenant(request);
	if (!tenant) return void response.status(404).send(notFoundPage());
	const session = await auth.api.getSession({ headers: headersFor(request, tenant.id) });
	response.send(session ? accountPage(tenant, session.user) : signInPage(tenant));
});

app.post("/:slug/sign-in", (request, response) =>
	submit(request, response, "/tenant/sign-in/email"),
);

app.post("/:slug/sign-up", (request, response) =>
	submit(request, response, "/tenant/sign-up/email"),
);

app.post("/:slug/sign-out", (request, response) => submit(request, response, "/sign-out"));

/**
 * Sends a form to an endpoint of Better Auth, passes its cookies on, and shows the tenant's page or
 * the error. Unlike calls of `auth.api`, this counts for Better Auth's rate limits.
 */
async function submit(request: FormRequest, response: PageResponse, endpoint: string) {
	const tenant = await findTenant(request);
	if (!tenant) return void response.status(404).send(notFoundPage());
	const headers = headersFor(request, tenant.id);
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
	if (answer.ok) return response.redirect(303, `/${tenant.slug}`);
	const { message } = (await answer.json()) as { message?: string };
	response.status(answer.status).send(signInPage(tenant, message ?? "That did not work."));
}

async function findTenant(request: FormRequest<{ slug?: string }>) {
	const slug = request.params.slug ?? "";
	try {
		return await auth.api.getTenant({ query: { slug } });
	} catch (error) {
		if (isAPIError(error) && error.statusCode < 500) return null;
		throw error;
	}
}

/** The tenant header says which tenant the page is for: a session of another tenant does not count. */
function headersFor(request: FormRequest, tenantId: string): Headers {
	const headers = fromNodeHeaders(request.headers);
	headers.set("x-tenant-id", tenantId);
	return headers;
}

app.listen(port, () => console.log(`Open ${origin}`));
