import { expect } from "vitest";
import type { Answer } from "../../support/instance";
import type { Call, Caller } from "../attack";
import type { PluginWorld, Setup, Side } from "./world";

export type Outcome<Own = unknown> = (answer: Answer, world: PluginWorld<Own>) => void;

/** What B does at an endpoint with what is A's, what it gets, and what A gets for the same. */
export interface Attempt<Own> {
	/** Completes "B …". */
	tries: string;
	call: (world: PluginWorld<Own>) => Call;
	/**
	 * Who may make such a call: a user who is signed in, anyone, or anyone who holds the token, which
	 * names its tenant if nothing else does.
	 */
	by: "user" | "anyone" | "holder";
	/** What B gets with its own session. */
	gets: Outcome<Own>;
	/** What it gets with A's, or with none, or in A's name. @default 401 by a "user", else the same */
	otherwise?: Outcome<Own>;
	/** What A gets for the same call, after B's: the call is a real one, and nothing was spent. */
	own: Outcome<Own>;
	/** In which ways B comes, if not in all that fit. */
	ways?: Way[];
	/** A makes it without its session. */
	signedOut?: boolean;
	/** What of A's B has put into its call, and may therefore be told, and have in its own rows. */
	knows?: (world: PluginWorld<Own>) => string[];
}

/** By the name of the endpoint in `auth.api`. */
export type Rows<Own> = Record<string, Attempt<Own>[]>;

export interface PluginMatrix<Own> extends Setup<Own> {
	/** As in the table of docs/compatibility.md. */
	plugin: string;
	/** For every endpoint that the plugin adds or replaces. */
	rows: Rows<Own>;
	/** For core's endpoints that it changes by hooks. */
	core?: Rows<Own>;
}

type Sides = Record<"a" | "b", Side>;

/** With what B comes. */
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

/** A redirect that tells of a failure, and signs nobody in. */
export const failed =
	(error: string): Outcome =>
	({ status, headers, cookie }) => {
		expect([status, headers.get("location")]).toEqual([302, expect.stringContaining(error)]);
		expect(headers.get("location")).toContain("error=");
		expect(cookie).not.toContain("session_token");
	};

/** Understood, and with this in the answer, if anything. */
export const answers =
	<Own = unknown>(wanted?: (world: PluginWorld<Own>) => unknown): Outcome<Own> =>
	({ status, body }, world) => {
		expect(status, JSON.stringify(body)).toBe(200);
		if (wanted) expect(body).toEqual(wanted(world));
	};

const tellsOf =
	(name: "a" | "b"): Outcome =>
	(answer, world) => {
		answers()(answer, world);
		expect(JSON.stringify(answer.body)).toContain(world[name].userId);
	};

/** It is B's own user, or something of it, that the answer is about. */
export const aboutB = tellsOf("b");
export const aboutA = tellsOf("a");

/** Something was sent in that tenant. */
const sends =
	(name: "a" | "b"): Outcome =>
	(answer, world) => {
		answers()(answer, world);
		expect(world.outbox.map(({ tenantId }) => tenantId)).toContain(world[name].tenantId);
	};

export const mailsB = sends("b");
export const mailsA = sends("a");
