import { newSlug, newTenant, newUser, type RunningService } from "./running-service";

export type JarTenant = { id: string; slug: string; userId: string };

type Call = { tenant?: { id: string } | null; body?: object; headers?: Record<string, string> };

/** A tenant with one user, `ada@example.com`. */
export async function tenantWithUser({ post }: RunningService, name = "acme"): Promise<JarTenant> {
	const slug = newSlug(name);
	const id = await newTenant(post, slug);
	const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
		"x-tenant-id": id,
	});
	const { user } = (await signedUp.json()) as { user: { id: string } };
	return { id, slug, userId: user.id };
}

/** A browser without JavaScript: it keeps cookies in the order in which they were set first. */
export function newJar({ call, baseUrl }: Pick<RunningService, "call" | "baseUrl">) {
	const cookies = new Map<string, string>();

	const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

	const keep = (response: Response) => {
		for (const text of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
			if (/max-age=0\b/i.test(text)) cookies.delete(name);
			else cookies.set(name, value);
		}
		return response;
	};

	/** With a body by POST, without one by GET. */
	const send = async (path: string, { tenant, body, headers }: Call = {}) =>
		keep(
			await call(path.startsWith("/t/") ? path : `/api/auth${path}`, {
				method: body ? "POST" : "GET",
				headers: {
					cookie: header(),
					...(tenant ? { "x-tenant-id": tenant.id } : {}),
					...(body ? { "content-type": "application/json", origin: baseUrl } : {}),
					...headers,
				},
				...(body ? { body: JSON.stringify(body) } : {}),
			}),
		);

	const signIn = (tenant: { id: string }, more: object = {}) => {
		const { email, password } = newUser("ada@example.com");
		return send("/tenant/sign-in/email", { tenant, body: { email, password, ...more } });
	};

	/** The tenant of the session that a request has; `null` without one. */
	const tenantOf = async (tenant: { id: string } | null = null, path = "/get-session") => {
		const response = await send(path, { tenant });
		const found = (await response.json()) as { session?: { tenantId: string } } | null;
		return found?.session?.tenantId ?? null;
	};

	/** As `tenantOf` without a name, and the active session stays as it is. */
	const activeTenant = () => tenantOf(null);

	/** What is in the browser, without cookies that are of no session. */
	const sessions = () =>
		[...cookies.keys()].filter((name) => /\.(session_token|dont_remember)$/.test(name));

	return { cookies, header, keep, send, signIn, tenantOf, activeTenant, sessions };
}
