import type { Caller } from "./callers";
import type { MappedEndpoint } from "./endpoint-map";
import type { ValueOf } from "./made-up-input";
import type { Side } from "./side";

const plain = (name: string) => name.replaceAll(/[^a-z\d]/gi, "").toLowerCase();

/** How many different values of A's are tried in a field whose name tells nothing. */
export const ROUNDS = 5;

/** Columns whose name is too common to take a value of A's for them. */
const COMMON = new Set(["name", "value", "image", "createdat", "updatedat", "role", "status"]);

/**
 * What of A's is sent in which field: the id of A's organization where a field is called
 * `organizationId`, A's session token where it is called `sessionToken`, and each in turn where the
 * name tells nothing.
 */
export function victimsValues(
	endpoint: MappedEndpoint,
	a: Side,
	b: Side,
	caller: Caller,
	providerId: string,
): ValueOf {
	const turns = candidates(endpoint, a, caller);
	const known = new Map<string, string>();
	for (const [model, row] of a.rows) {
		if (typeof row.id === "string") known.set(plain(`${model}Id`), row.id);
		if (model === "verification" && !caller.holdsTokens) continue;
		for (const [column, value] of Object.entries(row)) {
			const name = plain(column);
			if (typeof value !== "string" || name === "id" || COMMON.has(name)) continue;
			if (!known.has(name)) known.set(name, value);
			known.set(plain(model) + name, value);
		}
	}
	known.set("sessiontoken", a.sessionToken);
	known.set("userid", a.userId);
	known.delete("token");
	known.delete("identifier");
	return (field, round) => {
		const name = plain(field);
		if (caller.holdsTokens && a.prepared[field] !== undefined) return a.prepared[field];
		if (name === "tenantid") return tenantFor(endpoint, a, b).id;
		if (/url$|uri$|^redirect/.test(name)) return "/";
		// With A's nobody gets far in B: the other rounds come with B's own.
		if (name.includes("password")) return round === 0 ? a.password : b.password;
		if (/^(new)?email$/.test(name)) return a.email;
		if (/^provider(id)?$/.test(name)) return providerId;
		if (name === "name") return "Walker";
		if (name === "role") return "member";
		if (name === "granttype") return "urn:ietf:params:oauth:grant-type:device_code";
		return known.get(name) ?? turns[round % turns.length] ?? a.userId;
	};
}

/** Whoever signs up or in names the tenant in the body: here it is B that does. */
function tenantFor({ path }: MappedEndpoint, a: Side, b: Side): Side {
	return path?.startsWith("/tenant/sign-") ? b : a;
}

/** A's ids, those first whose model the path speaks of. */
function candidates({ path, name }: MappedEndpoint, a: Side, { holdsTokens }: Caller): string[] {
	const about = plain(`${path}${name}`);
	const ids = [...a.rows]
		.filter(([, row]) => typeof row.id === "string")
		.sort(([x], [y]) => Number(about.includes(plain(y))) - Number(about.includes(plain(x))))
		.map(([, row]) => String(row.id));
	const verification = a.rows.get("verification");
	const tokens = holdsTokens
		? [verification?.identifier, verification?.value].filter((it) => typeof it === "string")
		: [];
	return [...new Set([a.userId, a.sessionToken, ...tokens, ...ids])].slice(0, ROUNDS);
}

/** Everything that tells something of A: ids, tokens, and every text that its rows are marked with. */
export function secretsOf(a: Side, mark: string): string[] {
	const values = [...a.rows.values()].flatMap((row) => [
		...(typeof row.id === "string" ? [row.id] : []),
		...Object.values(row).filter((value) => typeof value === "string" && value.includes(mark)),
	]) as string[];
	// A counted id is a number that may stand anywhere.
	const telling = values.filter((value) => value.length > 6);
	return [...new Set([...telling, a.sessionToken, ...Object.values(a.prepared)])];
}
