import type { Kysely } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { openRedis } from "../src/database/redis";
import { createLog } from "../src/monitoring/log";
import { newRecord, runWithRecord } from "../src/monitoring/request-record";
import { breakableConnection } from "./breakable-connection";
import { command } from "./cli-command";
import {
	hasOwnRedis,
	type OwnRedis,
	ownCluster,
	ownRedis,
	ownSentinel,
} from "./clusters/own-redis";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const names = ["signed-out", "revoked", "disabled", "deleted", "kept"] as const;
const ended = { "signed-out": false, revoked: false, disabled: false, deleted: false };

/** A tenant with one signed-in user for each way to end a session. */
async function signedInPeople(REDIS_URL: string, servers = 1) {
	const environment = { REDIS_URL, DATA_DIR: temporaryDirectory() };
	// The prefix of the command line.
	const start = (more = {}) =>
		runningService({ ...environment, ...more }, { redisPrefix: "auth:" });
	const all = [await start()];
	while (all.length < servers) all.push(await start());
	const [first, last] = [all[0], all.at(-1)] as const;
	if (!first || !last) throw new Error("There is no server");
	const { post, baseUrl } = first;
	const tenantId = await newTenant(post);
	const headers = { "x-tenant-id": tenantId };
	const signUp = async (email: string) => {
		const response = await post("/tenant/sign-up/email", newUser(email), headers);
		const { user } = (await response.clone().json()) as { user: { id: string } };
		return { userId: user.id, cookie: cookiesOf(response) };
	};
	const people = new Map<string, Awaited<ReturnType<typeof signUp>>>();
	for (const name of names) people.set(name, await signUp(`${name}@example.com`));
	/** By the last server. */
	const stateOf = async (name: string) => {
		const cookie = people.get(name)?.cookie ?? "";
		const response = await last.call("/api/auth/get-session", { headers: { cookie } });
		return response.status === 200 ? (await response.json()) !== null : response.status;
	};
	for (const name of notEmpty(names)) expect(await stateOf(name)).toBe(true);
	return {
		environment,
		start,
		stateOf,
		/** As if a server had ended them whose Redis is another one. */
		deleteInDatabase: async () => {
			const db = last.backend.database.db as Kysely<{ session: object }>;
			await db.deleteFrom("session").execute();
		},
		states: async () =>
			Object.fromEntries(await Promise.all(names.map(async (it) => [it, await stateOf(it)]))),
		endSessions: async ({ post } = first) => {
			const end = async (name: string, path: string) =>
				(
					await post(
						`/tenant/user/${path}`,
						{ tenantId, userId: people.get(name)?.userId },
						asManager,
					)
				).status;
			const cookie = people.get("signed-out")?.cookie ?? "";
			expect((await post("/sign-out", {}, { cookie, origin: baseUrl })).status).toBe(200);
			expect(await end("revoked", "revoke-sessions")).toBe(200);
			expect(await end("disabled", "disable")).toBe(200);
			expect(await end("deleted", "delete")).toBe(200);
		},
		signIn: async (name: string) =>
			(await post("/tenant/sign-in/email", newUser(`${name}@example.com`), headers)).status,
		signOut: async () => {
			const cookie = people.get("kept")?.cookie ?? "";
			const response = await post("/sign-out", {}, { cookie, origin: baseUrl });
			return [response.status, response.headers.get("retry-after")];
		},
		readiness: async () => (await first.call("/readyz")).json(),
	};
}

const isReplica = ({ port }: OwnRedis, master: OwnRedis) =>
	master.run(async (client) => {
		const info = await client.info("replication");
		return new RegExp(`port=${port},state=online`).test(info);
	});

async function ownReplica(master: OwnRedis): Promise<OwnRedis> {
	const replica = await ownRedis(["--replicaof", "127.0.0.1", String(master.port)]);
	await expect.poll(() => isReplica(replica, master)).toBe(true);
	return replica;
}

/** Waits until its replica has everything that was written so far. */
const replicateAll = (master: OwnRedis) =>
	master.run(async (client) => {
		// Redis waits for the writes of this connection, and so for all before them.
		await client.set("replicated", "yes");
		expect(await client.call("wait", 1, 0)).toBe(1);
	});

describe.skipIf(!hasOwnRedis)("a Redis that goes back in time", () => {
	test("brings back no session that has ended, and loses none that is valid", async () => {
		const redis = await ownRedis();
		const { endSessions, states, stateOf, readiness } = await signedInPeople(redis.url);
		await redis.run((client) => client.save());
		await endSessions();
		await redis.kill();
		await redis.start();
		await expect.poll(() => stateOf("kept")).toBe(true);
		await expect.poll(readiness).toMatchObject({ status: "ready" });
		expect(await states()).toEqual({ ...ended, kept: true });
	});

	test("as a replica that is behind and takes over", async () => {
		const master = await ownRedis();
		const replica = await ownReplica(master);
		const proxy = await breakableConnection(master.url);
		const { endSessions, states, readiness } = await signedInPeople(proxy.url, 2);
		await replicateAll(master);
		// It gets nothing from there.
		await replica.run((client) => client.call("replicaof", "127.0.0.1", 1));
		await endSessions();
		await replica.run((client) => client.call("replicaof", "no", "one"));
		expect((await replica.run((client) => client.keys("*"))).length).toBeGreaterThan(names.length);
		proxy.lead(replica.url);
		await expect.poll(readiness).toMatchObject({ status: "ready" });
		expect(await states()).toEqual({ ...ended, kept: true });
	});

	test("with Sentinel, which makes a replica the master", async () => {
		const master = await ownRedis();
		const replica = await ownReplica(master);
		const { port } = await ownSentinel(master);
		const url = `redis-sentinel://127.0.0.1:${port}/mymaster`;
		const { endSessions, states, readiness, signOut, stateOf } = await signedInPeople(url, 2);
		await endSessions();
		await master.kill();
		expect(await states()).toEqual({ ...ended, kept: true });
		await expect.poll(readiness).toMatchObject({ status: "ready" });
		expect(await replica.run((client) => client.info("replication"))).toContain("role:master");
		expect(await states()).toEqual({ ...ended, kept: true });
		await expect.poll(signOut).toEqual([200, null]);
		await expect.poll(() => stateOf("kept")).toBe(false);
	});

	test("as a master that was a replica for some time, on an open connection", async () => {
		const one = await ownRedis();
		const two = await ownReplica(one);
		// This server does nothing meanwhile, and its connection stays open.
		const { start, endSessions, states } = await signedInPeople(one.url);
		await two.run((client) => client.call("replicaof", "no", "one"));
		await one.run((client) => client.call("replicaof", "127.0.0.1", two.port));
		await endSessions(await start({ REDIS_URL: two.url }));
		await expect.poll(() => isReplica(one, two)).toBe(true);
		await one.run((client) => client.call("replicaof", "no", "one"));
		await expect.poll(states).toEqual({ ...ended, kept: true });
	});

	test("in a cluster whose replica takes over, or whose node is restored", async () => {
		const { url, nodes } = await ownCluster();
		const { endSessions, states, readiness } = await signedInPeople(url, 2);
		for (const node of nodes) await node.run((client) => client.save());
		await endSessions();
		const [first, second] = notEmpty(nodes);
		await first?.kill();
		await expect.poll(states).toEqual({ ...ended, kept: true });
		await expect.poll(readiness).toMatchObject({ status: "ready" });
		expect(await states()).toEqual({ ...ended, kept: true });
		await second?.kill();
		await second?.start();
		await expect.poll(readiness).toMatchObject({ status: "ready" });
		expect(await states()).toEqual({ ...ended, kept: true });
	});
});

describe.skipIf(!hasOwnRedis)("a Redis that responds and does not write", () => {
	test.each([
		["is full", "maxmemory", "1"],
		["has not enough replicas", "min-replicas-to-write", "1"],
	])("because it %s", async (_, setting, value) => {
		const redis = await ownRedis();
		const { signIn, signOut, stateOf, readiness } = await signedInPeople(redis.url);
		await redis.run((client) => client.config("SET", setting, value));
		expect(await signIn("kept")).toBe(200);
		expect(await stateOf("kept")).toBe(true);
		expect(await signOut()).toEqual([503, "5"]);
		expect(await readiness()).toMatchObject({ status: "degraded", checks: { redis: "failed" } });
		await redis.run((client) => client.config("SET", setting, "0"));
		await expect.poll(signOut).toEqual([200, null]);
		expect(await stateOf("kept")).toBe(false);
	});
});

describe.skipIf(!hasOwnRedis)("a Redis that others have left behind is not read", () => {
	test("as a master without its replicas", async () => {
		const redis = await ownRedis();
		const { storage, close } = await openRedis(
			redis.url,
			createLog({ level: "silent", secrets: [] }),
		);
		onTestFinished(close);
		await storage.set("key", "value", 60);
		expect(await storage.get("key")).toBe("value");
		await redis.run((client) => client.config("SET", "min-replicas-to-write", "1"));
		await expect(storage.get("key")).rejects.toThrow("Redis does not respond");
	});

	test("and a request that has read from it writes no session back to the next one", async () => {
		const redis = await ownRedis();
		const { storage, forgetAll, close } = await openRedis(
			redis.url,
			createLog({ level: "silent", secrets: [] }),
		);
		onTestFinished(close);
		const token = "a".repeat(32);
		await storage.set(token, "session", 60);
		await runWithRecord(newRecord("1", new Request("http://localhost/")), async () => {
			expect(await storage.get(token)).toBe("session");
			await forgetAll();
			await storage.set(token, "session", 60);
			await storage.set("tenant-auth:session-ended:other", "1", 60);
		});
		expect(await storage.get(token)).toBeNull();
		expect(await storage.get("tenant-auth:session-ended:other")).toBe("1");
	});

	test("as a master that is a replica now", async () => {
		const one = await ownRedis();
		const two = await ownRedis();
		const { deleteInDatabase, states, signOut } = await signedInPeople(one.url);
		await one.run((client) => client.call("replicaof", "127.0.0.1", two.port));
		expect(await signOut()).toEqual([503, "5"]);
		await deleteInDatabase();
		expect(await states()).toEqual({ ...ended, kept: false });
	});
});

describe.skipIf(!hasOwnRedis)("a start is refused", () => {
	const start = (REDIS_URL: string) => runningService({ REDIS_URL });

	test("for a Sentinel, a replica, a node of a cluster, and no cluster", async () => {
		const master = await ownRedis();
		const replica = await ownReplica(master);
		const sentinel = await ownSentinel(master);
		const node = await ownRedis(["--cluster-enabled", "yes"]);
		const at = (kind: string, { port }: { port: number }) => `${kind}://127.0.0.1:${port}`;
		await expect(start(at("redis", sentinel))).rejects.toThrow(
			/it is a Sentinel\. Use redis-sentinel/,
		);
		await expect(start(replica.url)).rejects.toThrow(/Redis is a replica/);
		await expect(start(node.url)).rejects.toThrow(/it is a node of a cluster\. Use redis-cluster/);
		await expect(start(at("redis-cluster", master))).rejects.toThrow(/not a node of a cluster/);
		await expect(start(`${at("redis-sentinel", sentinel)}/other`)).rejects.toThrow(
			/none of them knows the master/,
		);
	});

	test("for a user who may not call INFO", async () => {
		const redis = await ownRedis();
		const rules = ["on", ">secret", "~*", "+@all", "-info"];
		await redis.run((client) => client.acl("SETUSER", "auth", ...rules));
		const url = redis.url.replace("//", "//auth:secret@");
		await expect(start(url)).rejects.toThrow(/The user needs the command INFO/);
	});
});

test.skipIf(!hasOwnRedis)(
	"the command line ends all sessions, also those that only Redis knows",
	async () => {
		const redis = await ownRedis();
		const { environment, states, signIn, deleteInDatabase } = await signedInPeople(redis.url);
		const settings = {
			...environment,
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
		};
		const end = async () => {
			const args = ["sessions", "end", "--before", "now", "--yes", "--json"];
			const { out, err, code } = await command(settings, args);
			expect([code, err]).toEqual([0, ""]);
			return JSON.parse(out) as unknown;
		};
		// As a database that was restored.
		await deleteInDatabase();
		expect(await states()).toMatchObject({ kept: true });
		expect(await end()).toMatchObject({ sessions: 0, tokens: 0 });
		expect(await states()).toEqual({ ...ended, kept: false });
		expect(await signIn("kept")).toBe(200);
		expect(await end()).toMatchObject({ sessions: 1, tokens: 0 });
	},
);
