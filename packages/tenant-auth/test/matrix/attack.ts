import type { Answer, Instance } from "../support/worlds/instance";

/** A call, without its caller. */
export interface Call {
	path: string;
	/** A text is a form. */
	body?: object | string;
	query?: Record<string, string>;
	/** The parts of its path, on the server. */
	params?: Record<string, string>;
	headers?: Record<string, string>;
	method?: string;
	/** Cookies besides those of the session. */
	cookie?: string;
	/** The endpoint has no path: `path` is its name in `auth.api`. */
	onServer?: boolean;
}

/** The session of the caller, and the tenant that the request names. */
export interface Caller {
	cookie?: string;
	tenant?: string;
}

/** Calls over HTTP, or through `auth.api` if the endpoint has no path. */
export async function attack(
	instance: Pick<Instance, "auth" | "call">,
	{ onServer, path, ...call }: Call,
	caller: Caller,
): Promise<Answer> {
	const cookie = [caller.cookie, call.cookie].filter(Boolean).join("; ");
	if (!onServer) return instance.call(path, { ...call, ...caller, ...(cookie ? { cookie } : {}) });
	const headers = new Headers({
		...(cookie ? { cookie } : {}),
		...(caller.tenant ? { "x-tenant-id": caller.tenant } : {}),
		...call.headers,
	});
	const { body, query, params } = call;
	const api = instance.auth.api as unknown as Record<string, (input: object) => Promise<unknown>>;
	const done = await api[path]?.({ body, query, params, headers }).then(
		(body) => ({ status: 200, body }),
		(error: { statusCode?: number; body?: unknown }) => {
			if (!error.statusCode) throw error;
			return { status: error.statusCode, body: error.body };
		},
	);
	return { status: 0, body: null, ...done, headers: new Headers(), cookie: "" };
}
