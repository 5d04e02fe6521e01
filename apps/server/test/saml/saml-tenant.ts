import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { SamlForm } from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
} from "../running-service";

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many forms.
type Body = any;

type Answer = { status: number; body: Body };

const answerOf = async (response: Response): Promise<Answer> => ({
	status: response.status,
	body: await response.json().catch(() => null),
});

/** A tenant that owns the domain of its emails. */
export async function samlTenant(
	{ post, call, backend }: RunningService,
	options: { name?: string; domain?: string } = {},
) {
	const { name = "acme", domain = `${name}.com` } = options;
	const slug = newSlug(name);
	const tenantId = await newTenant(post, slug);
	const tenant = { "x-tenant-id": tenantId };
	const manage = async (
		path: string,
		body: object = {},
		headers: Record<string, string> = asManager,
	) => answerOf(await post(path, { tenantId, ...body }, headers));
	const get = async (path: string) =>
		(await answerOf(await call(`/api/auth${path}?tenantId=${tenantId}`, { headers: asManager })))
			.body;

	/** As if its DNS record had been found. Each test has its own domain: one tenant can own it. */
	const verifyDomain = async (host = domain) => {
		const { adapter } = await backend.auth.$context;
		await adapter.create({
			model: "tenantDomain",
			data: {
				...{ tenantId, host, purpose: "email", lookupKey: `${slug} ${host}`, token: "token" },
				...{ verifiedAt: new Date(), discoverable: false, createdAt: new Date() },
			},
		});
	};
	const loseDomains = async () => {
		const { adapter } = await backend.auth.$context;
		const where = [{ field: "tenantId", value: tenantId }];
		await adapter.deleteMany({ model: "tenantDomain", where });
	};

	/** Sends a browser to the identity provider. */
	const start = async (query = "") => {
		const response = await call(`/t/${slug}/saml/sign-in${query}`);
		return {
			status: response.status,
			url: response.headers.get("location") ?? "",
			cookie: cookiesOf(response),
		};
	};
	/** A browser brings the response of the identity provider. */
	const finish = async (form: Partial<SamlForm>, cookie: string) => {
		const response = await call(`/t/${slug}/saml/acs`, {
			method: "POST",
			headers: { cookie, origin: "https://idp.example.com" },
			body: new URLSearchParams({ ...form }),
		});
		const url = new URL(response.headers.get("location") ?? "none:", "http://localhost:3000");
		const session = await call("/api/auth/get-session", {
			headers: { ...tenant, cookie: cookiesOf(response) },
		});
		return {
			status: response.status,
			path: url.pathname,
			error: url.searchParams.get("error"),
			user: ((await session.json()) as Body)?.user ?? null,
			cookies: cookiesOf(response),
		};
	};
	const users = (): Promise<Body[]> => get("/tenant/user/list");
	const signUpAs = async (role: string, email: string) => {
		const response = await post("/tenant/sign-up/email", newUser(email), tenant);
		const { user } = (await response.clone().json()) as Body;
		await manage("/tenant/user/update", { userId: user.id, role, emailVerified: true });
		const cookie = cookiesOf(response);
		return { id: user.id as string, headers: { cookie, origin: "http://localhost:3000" } };
	};
	/** Sends requests of a directory. */
	const directory = async () => {
		const { body } = await manage("/tenant/scim/create-token", { name: "Okta" });
		return async (method: string, path: string, content?: object): Promise<Body> => {
			const response = await call(`/t/${slug}/scim/v2${path}`, {
				method,
				headers: { authorization: `Bearer ${body.token}`, "content-type": "application/json" },
				...(content ? { body: JSON.stringify(content) } : {}),
			});
			return (await answerOf(response)).body;
		};
	};
	return {
		...{ slug, tenantId, domain, manage, get, verifyDomain, loseDomains, start, finish, users },
		...{ signUpAs, directory },
	};
}

/** The request of the tenant in a URL, with another text in it. */
export function changeRequest(url: string, change: (xml: string) => string): string {
	const changed = new URL(url);
	const sent = changed.searchParams.get("SAMLRequest") ?? "";
	const xml = change(String(inflateRawSync(Buffer.from(sent, "base64"))));
	changed.searchParams.set("SAMLRequest", deflateRawSync(xml).toString("base64"));
	return String(changed);
}

/** A response of the identity provider, with another text in it. */
export function changeResponse(form: SamlForm, change: (xml: string) => string): SamlForm {
	const xml = change(String(Buffer.from(form.SAMLResponse, "base64")));
	return { ...form, SAMLResponse: Buffer.from(xml).toString("base64") };
}
