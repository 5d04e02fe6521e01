/** Something of tenant A that got out of it, or was changed from outside. */
export interface Crossing {
	/** The endpoint's name in `auth.api`. */
	endpoint: string;
	/** Who called, such as "B's session, naming B". */
	caller: string;
	/** The call, such as `POST /update-user {"id":"…"}`. */
	call: string;
	/** What went wrong, in words. */
	what: string;
}

export interface WalkedEndpoint {
	name: string;
	/** `null` where it is mounted nowhere and was called on the server. */
	path: string | null;
	calls: number;
	/** How often each status was answered. */
	answers: Record<number, number>;
	/** No call got past the check of its input: nothing was proven here. */
	neverUnderstood: boolean;
}

export interface IsolationReport {
	crossings: Crossing[];
	endpoints: WalkedEndpoint[];
	skipped: { name: string; reason: string }[];
	/** What could not be tried, and why. */
	notes: string[];
}

/** The crossings as text, one a line. */
export function describeCrossings({ crossings }: Pick<IsolationReport, "crossings">): string {
	return crossings
		.map(({ endpoint, caller, call, what }) => `${endpoint} (${caller}): ${what}\n    ${call}`)
		.join("\n");
}
