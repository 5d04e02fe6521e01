import { describe, expect, it } from "vitest";
import {
	composeStages,
	type InternalAdapter,
	type Stage,
	type StageParts,
} from "../../src/database/internal-adapter";
import { stagesOf } from "../../src/installation/stages";

const stages = stagesOf({} as never, {} as never, {} as never);
const names = stages.map(({ name }) => name);

describe("the stages of the internal adapter", () => {
	it("have this order", () => {
		expect(names).toEqual([
			"sign-in notes",
			"session events",
			"unproven access",
			"updated users",
			"deleted users",
			"simultaneous sign-ins",
			"provider sign-out",
			"issuers",
			"policy",
			"features",
			"mapped roles",
			"isolation",
			"stored sessions",
			"tenant in tokens",
			"verifications",
		]);
	});

	it.each([
		["sign-in notes", "policy", "a refused sign-in would be reported as one that succeeded"],
		["session events", "stored sessions", "a session that is taken back would have an event"],
		["unproven access", "updated users", "an email would be proven before old access ends"],
		["updated users", "mapped roles", "a caller could set a role by the name of its field"],
		["deleted users", "isolation", "a user's deletion could end sessions of another tenant"],
		["policy", "mapped roles", "a sign-in that the policy refuses would change a role"],
		["simultaneous sign-ins", "issuers", "two issuers would share a new account"],
		["policy", "features", "a sign-in that the policy refuses would reach the features"],
		["features", "stored sessions", "a sign-in to a deleted tenant would use up an invitation"],
		["policy", "isolation", "the policy of one tenant would end a session of another"],
		["isolation", "stored sessions", "an ended session would still decide the tenant of a call"],
		["isolation", "verifications", "a bearer token could be read as the key of a code"],
	])("%s comes before %s: otherwise %s", (first, second) => {
		expect(names).toContain(second);
		expect(names.slice(0, names.indexOf(second))).toContain(first);
	});

	it.each(stages.map(({ name, why }) => [name, why]))("%s says why it is there: %s", (_, why) => {
		expect(why).toMatch(/^It .+\.$/);
	});
});

describe("a session that is created through stages", () => {
	const session = { id: "1", token: "token", userId: "user" };

	function compose(createSession: () => Promise<unknown>, ...parts: StageParts[]) {
		const list = parts.map((part, index): Stage => {
			return { name: String(index), why: "It is a test.", around: () => part };
		});
		return composeStages({ createSession } as unknown as InternalAdapter, list);
	}

	const noting = (log: string[], name: string): StageParts => ({
		beforeSession: async () => void log.push(`before ${name}`),
		afterSession: async () => void log.push(`after ${name}`),
	});

	it("goes in at the first one and comes out at the first one", async () => {
		const log: string[] = [];
		const store = async () => {
			log.push("stored");
			return session;
		};
		const adapter = compose(store, noting(log, "A"), noting(log, "B"));
		expect(await adapter.createSession("user")).toBe(session);
		expect(log).toEqual(["before A", "before B", "stored", "after B", "after A"]);
	});

	it("is not stored if a stage refuses it", async () => {
		const log: string[] = [];
		const refused = new Error("refused");
		const refuse: StageParts = { beforeSession: async () => Promise.reject(refused) };
		const store = async () => void log.push("stored");
		const adapter = compose(store, noting(log, "A"), refuse, noting(log, "B"));
		await expect(adapter.createSession("user")).rejects.toBe(refused);
		expect(log).toEqual(["before A"]);
	});

	it("reaches no outer stage if an inner one takes it back", async () => {
		const log: string[] = [];
		const gone = new Error("gone");
		const takeBack: StageParts = { afterSession: async () => Promise.reject(gone) };
		const adapter = compose(async () => session, noting(log, "A"), takeBack);
		await expect(adapter.createSession("user")).rejects.toBe(gone);
		expect(log).toEqual(["before A"]);
	});

	it("has nothing to follow it if a hook of the app prevents it", async () => {
		const log: string[] = [];
		const adapter = compose(async () => null, noting(log, "A"));
		expect(await adapter.createSession("user")).toBeNull();
		expect(log).toEqual(["before A"]);
	});

	it("fails with the error that a stage makes of the store's", async () => {
		const known = new Error("known");
		const translate: StageParts = { sessionError: async () => known };
		const store = async () => Promise.reject(new Error("of the store"));
		const adapter = compose(store, { sessionError: async (error) => error }, translate);
		await expect(adapter.createSession("user")).rejects.toBe(known);
	});

	it("finds the methods of the inner stages, not those of the outer ones", async () => {
		const outer: Stage = {
			name: "outer",
			why: "It is a test.",
			around: (inner) => ({ countTotalUsers: async () => (await inner.countTotalUsers()) + 10 }),
		};
		const inner: Stage = {
			...outer,
			around: (core) => ({ countTotalUsers: async () => (await core.countTotalUsers()) * 2 }),
		};
		const core = { countTotalUsers: async () => 1 } as unknown as InternalAdapter;
		expect(await composeStages(core, [outer, inner]).countTotalUsers()).toBe(12);
	});
});
