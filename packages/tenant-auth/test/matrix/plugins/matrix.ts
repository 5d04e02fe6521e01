import { expect } from "vitest";
import type { Answer } from "../../support/worlds/instance";
import type { Call, Caller } from "../attack";
import type { SetupName } from "../setups";
import type { PluginWorld, Setup, Side } from "./world";

export type Outcome<Own = unknown> = (answer: Answer, world: PluginWorld<Own>) => void;

/** What B does at an endpoint with data of A, what B gets, and what A gets for the same call. */
export interface Attempt<Own> {
	/** Completes "B …". */
	tries: string;
	call: (world: PluginWorld<Own>) => Call;
	/**
	 * Who may make such a call: a user who is signed in, anyone, or anyone who holds the token. A token
	 * names its tenant if the request does not.
	 */
	by: "user" | "anyone" | "holder";
	/** What B gets with its own session. */
	gets: Outcome<Own>;
	/**
	 * What B gets with the session of A, without a session, or if it names A.
	 * @default 401 by a "user", else the same
	 */
	otherwise?: Outcome<Own>;
	/** What A gets for the same call afterwards. It proves that the call is right, and that B used nothing up. */
	own: Outcome<Own>;
	/** @default all ways that `by` allows */
	ways?: Way[];
	/** The answer is about the app, so A and B get the same. */
	ofHost?: boolean;
	/** A calls without its session. */
	signedOut?: boolean;
	/** Other set-ups in which core or the plugin cannot do it. Say why. */
	notIn?: SetupName[];
	/** Values of A that B sends. They may be in the answer, and in the rows of B. */
	knows?: (world: PluginWorld<Own>) => string[];
}

/** By the name of the endpoint in `auth.api`. */
export type Rows<Own> = Record<string, Attempt<Own>[]>;

export interface PluginMatrix<Own> extends Setup<Own> {
	/** As in the table of docs/compatibility.md. */
	plugin: string;
	/** For each endpoint that the plugin adds or replaces. */
	rows: Rows<Own>;
	/** For endpoints of core that the plugin changes by hooks. */
	core?: Rows<Own>;
	/** Other set-ups in which the plugin does not start. Say why. */
	notIn?: SetupName[];
}

type Sides = Record<"a" | "b", Side>;

/** Which session B uses, and which tenant it names. */
export const ways = {
	"with its own session": ({ b }: Sides): Caller => ({ cookie: b.cookie }),
	"with its own session and its own name": ({ b }: Sides): Caller => ({
		cookie: b.cookie,
		tenant: b.tenantId,
	}),
	"with A's session and its own name": ({ a, b }: Sides): Caller => ({
		cookie: a.cookie,
		tenant: b.tenantId,
	}),
	"with no session and its own name": ({ b }: Sides): Caller => ({ tenant: b.tenantId }),
	"with its own session and A's name": ({ a, b }: Sides): Caller => ({
		cookie: b.cookie,
		tenant: a.tenantId,
	}),
};

export type Way = keyof typeof ways;

const named: Way[] = [
	"with its own session and its own name",
	"with A's session and its own name",
	"with no session and its own name",
];

export const waysOf: Record<Attempt<unknown>["by"], Way[]> = {
	user: Object.keys(ways) as Way[],
	anyone: ["with its own session", ...named],
	holder: named,
};

export function outcomeOf<Own>({ by, gets, otherwise }: Attempt<Own>, way: Way): Outcome<Own> {
	const isSignedIn = way.startsWith("with its own session") && !way.endsWith("A's name");
	if (isSignedIn) return gets;
	return otherwise ?? (by === "user" ? refused(401) : gets);
}

export const refused =
	(status: number, code?: string): Outcome =>
	({ status: got, body, cookie }) => {
		const reason = code && (body?.code ?? body?.error);
		expect([got, reason], JSON.stringify(body)).toEqual([status, code]);
		expect(cookie).not.toContain("session_token");
	};

/** A redirect with an error, which signs nobody in. */
export const failed =
	(error: string): Outcome =>
	({ status, headers, cookie }) => {
		expect([status, headers.get("location")]).toEqual([302, expect.stringContaining(error)]);
		expect(headers.get("location")).toContain("error=");
		expect(cookie).not.toContain("session_token");
	};

/** Status 200, and this body. */
export const answers =
	<Own = unknown>(wanted?: (world: PluginWorld<Own>) => unknown): Outcome<Own> =>
	({ status, body }, world) => {
		expect(status, JSON.stringify(body)).toBe(200);
		if (wanted) expect(body).toEqual(wanted(world));
	};

const isAbout =
	(name: "a" | "b"): Outcome =>
	(answer, world) => {
		answers()(answer, world);
		expect(JSON.stringify(answer.body)).toContain(world[name].userId);
	};

/** The answer contains the user of B. */
export const aboutB = isAbout("b");
export const aboutA = isAbout("a");

/** The app sent something in that tenant. */
const sends =
	(name: "a" | "b"): Outcome =>
	(answer, world) => {
		answers()(answer, world);
		expect(world.outbox.map(({ tenantId }) => tenantId)).toContain(world[name].tenantId);
	};

export const mailsB = sends("b");
export const mailsA = sends("a");
