import type { MappedEndpoint, ValueFor } from "./endpoints";
import type { Party } from "./party";

const normalize = (name: string) => name.replaceAll(/[^a-z\d]/gi, "").toLowerCase();

/** How many of A's values are tried in a field whose name says nothing about its content. */
export const ROUNDS = 5;

/** Columns with names that are too common to expect A's value in a field of the same name. */
const COMMON = new Set(["name", "value", "image", "createdat", "updatedat", "role", "status"]);

/**
 * Chooses what is sent in each field: the id of A's organization for `organizationId`, A's session
 * token for `sessionToken`, and A's ids in turn for a field whose name says nothing.
 */
export function attackValues(
	endpoint: MappedEndpoint,
	a: Party,
	b: Party,
	{ holdsTokens, providerId }: { holdsTokens: boolean; providerId: string },
): ValueFor {
	const candidates = candidatesFor(endpoint, a, holdsTokens);
	const known = new Map<string, string>();
	for (const [model, row] of a.rows) {
		if (typeof row.id === "string") known.set(normalize(`${model}Id`), row.id);
		if (model === "verification" && !holdsTokens) continue;
		for (const [column, value] of Object.entries(row)) {
			const name = normalize(column);
			if (typeof value !== "string" || name === "id" || COMMON.has(name)) continue;
			if (!known.has(name)) known.set(name, value);
			known.set(normalize(model) + name, value);
		}
	}
	known.set("sessiontoken", a.sessionToken);
	known.set("userid", a.userId);
	known.delete("token");
	known.delete("identifier");
	return (field, round) => {
		const name = normalize(field);
		if (holdsTokens && a.prepared[field] !== undefined) return a.prepared[field];
		if (name === "tenantid") return tenantFor(endpoint, a, b).id;
		if (/url$|uri$|^redirect/.test(name)) return "/";
		// A's password is rejected in B, so the other rounds send B's own.
		if (name.includes("password")) return round === 0 ? a.password : b.password;
		if (/^(new)?email$/.test(name)) return a.email;
		if (/^provider(id)?$/.test(name)) return providerId;
		if (name === "name") return "Test";
		if (name === "role") return "member";
		if (name === "granttype") return "urn:ietf:params:oauth:grant-type:device_code";
		return known.get(name) ?? candidates[round % candidates.length] ?? a.userId;
	};
}

/** A sign-in or sign-up names its own tenant in the body. That is B here. */
function tenantFor({ path }: MappedEndpoint, a: Party, b: Party): Party {
	return path?.startsWith("/tenant/sign-") ? b : a;
}

/** Lists A's ids. Those of models that the endpoint's path mentions come first. */
function candidatesFor({ path, name }: MappedEndpoint, a: Party, holdsTokens: boolean): string[] {
	const about = normalize(`${path}${name}`);
	const isMentioned = (model: string) => Number(about.includes(normalize(model)));
	const ids = [...a.rows]
		.filter(([, row]) => typeof row.id === "string")
		.sort(([x], [y]) => isMentioned(y) - isMentioned(x))
		.map(([, row]) => String(row.id));
	const verification = a.rows.get("verification");
	const tokens = holdsTokens
		? [verification?.identifier, verification?.value].filter((it) => typeof it === "string")
		: [];
	return [...new Set([a.userId, a.sessionToken, ...tokens, ...ids])].slice(0, ROUNDS);
}

/** Lists what must not appear in a response: A's ids, tokens and every text with A's canary. */
export function secretsOf(a: Party, canary: string): string[] {
	const values = [...a.rows.values()].flatMap((row) => [
		...(typeof row.id === "string" ? [row.id] : []),
		...Object.values(row).filter(
			(value): value is string => typeof value === "string" && value.includes(canary),
		),
	]);
	// A short id is a counted number, which may appear anywhere.
	const distinct = values.filter((value) => value.length > 6);
	return [...new Set([...distinct, a.sessionToken, ...Object.values(a.prepared)])];
}
