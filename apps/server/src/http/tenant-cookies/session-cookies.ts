import { createHash } from "node:crypto";
import { serialize } from "hono/utils/cookie";
import type { Auth } from "../../auth";

type AuthCookies = Awaited<Auth["$context"]>["authCookies"];

/** A session in the cookies of a browser. The values are as the browser sends them. */
export type Held = {
	/** The token of the session, signed. */
	token?: string;
	/** Says that the session ends with the browser. */
	dontRemember?: string;
};

const PARTS = ["token", "dontRemember"] as const;

/** Where a session is: in Better Auth's own cookies (`null`), or in the copy of a tenant. */
export type Place = string | null;

/** The name of a copy has a digest of the tenant's id: ids have any length and any characters. */
export const placeOf = (tenantId: string): string =>
	createHash("sha256").update(tenantId).digest("base64url").slice(0, 12);

/** What a browser has. */
export type Jar = {
	active: Held;
	/** The copies of tenants. Browsers send the oldest cookie first (RFC 6265, section 5.4). */
	copies: ReadonlyMap<string, Held>;
};

export type SessionCookies = ReturnType<typeof sessionCookies>;

/** Reads and writes the cookies of sessions, with Better Auth's names and attributes. */
export function sessionCookies({ sessionToken, sessionData, dontRememberToken }: AuthCookies) {
	const names = { token: sessionToken.name, dontRemember: dontRememberToken.name };
	const { maxAge, ...attributes } = sessionToken.attributes;

	/** Whether Better Auth has this cookie for its one session. */
	const isActive = (name: string) =>
		[...Object.values(names), sessionData.name].includes(name) ||
		name.startsWith(`${sessionData.name}.`);

	const find = (name: string): { part: keyof Held; place: Place } | null => {
		const [, place] = /\.([\w-]{12})\.[^.]+$/.exec(name) ?? [];
		const own = place === undefined ? name : name.replace(`.${place}.`, ".");
		const part = PARTS.find((one) => names[one] === own);
		return part ? { part, place: place ?? null } : null;
	};

	const read = (headers: Headers): Jar => {
		const active: Held = {};
		const copies = new Map<string, Held>();
		for (const cookie of (headers.get("cookie") ?? "").split(";")) {
			const found = find(nameOf(cookie));
			if (!found) continue;
			const { part, place } = found;
			const held = place === null ? active : (copies.get(place) ?? {});
			held[part] = cookie.slice(cookie.indexOf("=") + 1).trim();
			if (place !== null) copies.set(place, held);
		}
		return { active, copies };
	};

	/** The same headers with another session. The copies stay: Better Auth ignores them. */
	const replace = (given: Headers, session: Held): Headers => {
		const cookies = (given.get("cookie") ?? "")
			.split(";")
			.filter((cookie) => !isActive(nameOf(cookie)));
		for (const part of PARTS) {
			const value = session[part];
			if (value !== undefined) cookies.push(` ${names[part]}=${value}`);
		}
		const headers = new Headers(given);
		headers.set("cookie", cookies.join(";"));
		return headers;
	};

	/** @param before what the browser has there */
	const write = (place: Place, before: Held, next: Held, seconds?: number): string[] =>
		PARTS.flatMap((part) => {
			const value = next[part];
			if (value === undefined && before[part] === undefined) return [];
			const isLasting = seconds !== undefined && next.dontRemember === undefined;
			return serialize(nameAt(names[part], place), decoded(value ?? ""), {
				...attributes,
				...(value === undefined ? { maxAge: 0 } : isLasting ? { maxAge: seconds } : {}),
			});
		});

	return { names, maxAge, isActive, read, replace, write };
}

/** `better-auth.session_token` becomes `better-auth.<place>.session_token`. */
const nameAt = (name: string, place: Place): string =>
	place === null ? name : name.replace(/[^.]+$/, `${place}.$&`);

/** A cookie that a response sets or deletes. */
export type SetCookie = { text: string; name: string; value: string; seconds?: number };

export function parseSetCookie(text: string): SetCookie {
	const [pair = ""] = text.split(";");
	const [, seconds] = /;\s*max-age=(\d+)/i.exec(text) ?? [];
	const value = pair.slice(pair.indexOf("=") + 1).trim();
	return { text, name: nameOf(pair), value, ...(seconds ? { seconds: Number(seconds) } : {}) };
}

export const isDeletion = ({ value, seconds }: SetCookie): boolean => value === "" || seconds === 0;

/** Whether two signed values are of the same session. A rotated secret signs it differently. */
export const isSame = (one: string | undefined, other: string | undefined): boolean =>
	one !== undefined && other !== undefined && tokenOf(one) === tokenOf(other);

/** The token of a signed value: `<token>.<signature>`. */
export function tokenOf(value: string): string {
	const text = decoded(value);
	return text.slice(0, text.lastIndexOf("."));
}

const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf("=")).trim();

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}
