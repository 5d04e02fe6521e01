import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
} from "../running-service";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many forms.
export type Body = any;

export type Answer = { status: number; body: Body; headers: Headers };

const answerOf = async (response: Response): Promise<Answer> => {
	const text = await response.text();
	return {
		status: response.status,
		body: text === "" ? null : JSON.parse(text),
		headers: response.headers,
	};
};

/** A tenant with a SCIM token that an operator has made. */
export async function scimTenant({ post, call }: RunningService, name = "acme") {
	const slug = newSlug(name);
	const tenantId = await newTenant(post, slug);
	const manage = async (
		path: string,
		body: object = {},
		headers: Record<string, string> = asManager,
	) => answerOf(await post(path, { tenantId, ...body }, headers));
	const get = async (path: string, headers: Record<string, string> = asManager) =>
		answerOf(
			await call(`/api/auth${path}${path.includes("?") ? "&" : "?"}tenantId=${tenantId}`, {
				headers,
			}),
		);
	const makeToken = async (headers?: Record<string, string>): Promise<string> =>
		(await manage("/tenant/scim/create-token", { name: "Okta" }, headers)).body.token;
	const token = await makeToken();

	/** Sends a request as a directory does. */
	const scim = async (method: string, path: string, body?: unknown, bearer = token) =>
		answerOf(
			await call(`/t/${slug}/scim/v2${path}`, {
				method,
				headers: {
					authorization: `Bearer ${bearer}`,
					...(body === undefined ? {} : { "content-type": "application/scim+json" }),
				},
				...(body === undefined
					? {}
					: { body: typeof body === "string" ? body : JSON.stringify(body) }),
			}),
		);

	const tenant = { "x-tenant-id": tenantId };
	const signUp = async (email: string) => {
		const response = await post("/tenant/sign-up/email", newUser(email), tenant);
		const { user } = (await response.clone().json()) as { user: { id: string } };
		return { id: user.id, cookie: cookiesOf(response) };
	};
	/** A user with a role and a session. */
	const signUpAs = async (role: string, email = `${role}@example.com`) => {
		const user = await signUp(email);
		await manage("/tenant/user/update", { userId: user.id, role, emailVerified: true });
		return { ...user, email, headers: { cookie: user.cookie, origin: "http://localhost:3000" } };
	};
	const signIn = (email: string) => post("/tenant/sign-in/email", newUser(email), tenant);
	const users = async (): Promise<Body[]> => (await get("/tenant/user/list")).body;
	const audit = async (): Promise<Body[]> => (await get("/tenant/audit/list")).body;
	const sessionOf = async (cookie: string) =>
		(await answerOf(await call("/api/auth/get-session", { headers: { cookie, ...tenant } }))).body;
	return {
		...{ slug, tenantId, token, makeToken, scim, manage, get, signUp, signUpAs, signIn },
		...{ users, audit, sessionOf },
	};
}

export type ScimTenant = Awaited<ReturnType<typeof scimTenant>>;

export const person = (email: string, more: object = {}) => ({
	schemas: [USER],
	userName: email,
	name: { givenName: "Ada", familyName: "Lovelace" },
	emails: [{ primary: true, value: email, type: "work" }],
	active: true,
	...more,
});

export const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations });
