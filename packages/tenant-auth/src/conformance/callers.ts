import type { Host } from "./host";
import type { Side } from "./side";

/** As whom an endpoint is called with what is A's. */
export interface Caller {
	name: string;
	headers: Record<string, string>;
	/** The tenant that the request names. */
	names: Side | null;
	/**
	 * Whether A's secret tokens are sent as well. Whoever holds the token of a mail may use it with no
	 * tenant named: then it is worth something, and rightly.
	 */
	holdsTokens: boolean;
	/** A user of the platform, who may be allowed to manage every tenant. */
	isPlatforms?: boolean;
}

export function callersOf(
	host: Host,
	{ a, b, platform }: { a: Side; b: Side; platform: Side },
): Caller[] {
	const named = { names: b, holdsTokens: true };
	const unnamed = { names: null, holdsTokens: false };
	return [
		{ name: "B's session", headers: { cookie: b.cookie }, ...unnamed },
		{ name: "B's session, naming B", headers: { cookie: b.cookie }, ...named },
		{ name: "A's session, naming B", headers: { cookie: a.cookie }, ...named },
		...(host.ctx.hasPlugin("bearer")
			? [
					{
						name: "A's bearer token, naming B",
						headers: { authorization: `Bearer ${a.sessionToken}` },
						...named,
					},
				]
			: []),
		{ name: "no session, naming B", headers: {}, ...named },
		{ name: "no session, naming no tenant", headers: {}, ...unnamed },
		{
			name: "the platform's session",
			headers: { cookie: platform.cookie },
			...unnamed,
			isPlatforms: true,
		},
	];
}
