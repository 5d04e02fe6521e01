import { expect } from "vitest";
import { ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";
import { isPlainApp, isTraced } from "../../src/session/plain-app";
import { type Pair, requireSameFor } from "../comparison/compare";
import type { Observed } from "../comparison/compared-app";

/** The statement of the direct read, and no other, names its tables like this. */
export const isDirect = (sql: string) => /from "\w+" as "a" left join "\w+" as "b"/.test(sql);

export const isReadDirectly = ({ ours }: Pair) => ours.statements.some(isDirect);

interface Sent {
	path?: string;
	method?: string;
	cookie?: string | null;
	headers?: Record<string, string>;
}

/** Asks both for the session of the user, and requires that they do the same. */
export async function sendGetSession(
	pair: Pair,
	{ path = "/api/auth/get-session", method = "GET", cookie, headers = {} }: Sent = {},
): Promise<Observed["response"]> {
	const sent = cookie === undefined ? pair.plain.cookie : cookie;
	const make = () =>
		new Request(`${ORIGIN}${path}`, {
			method,
			headers: { ...(sent === null ? {} : { cookie: sent }), ...headers },
		});
	return (await requireSameFor(pair, make, `${method} ${path}`)).response;
}

/** Both respond with the session, and ours reads it directly. */
export async function requireDirect(pair: Pair, sent?: Sent): Promise<Observed["response"]> {
	const response = await sendGetSession(pair, sent);
	const { auth } = pair.ours;
	const ctx = await auth.$context;
	// All that decides, so that a failure says which it was.
	expect({
		status: response.status,
		hasSession: response.body.includes('"token"'),
		isTraced: isTraced(ctx.options),
		isSchemaChecked: ctx.checkSchema?.() === undefined,
		isPlainApp: isPlainApp(ctx, auth.options),
		isReadDirectly: isReadDirectly(pair),
	}).toEqual({
		status: 200,
		hasSession: true,
		isTraced: false,
		isSchemaChecked: true,
		isPlainApp: true,
		isReadDirectly: true,
	});
	// Better Auth has read nothing more. Rate limits may be in the database.
	expect(pair.ours.statements.filter((sql) => !sql.includes("rateLimit"))).toHaveLength(1);
	return response;
}

/** Both do the same, and ours leaves the request to Better Auth. */
export async function requireFallback(pair: Pair, sent?: Sent): Promise<Observed["response"]> {
	const response = await sendGetSession(pair, sent);
	expect(isReadDirectly(pair)).toBe(false);
	return response;
}
