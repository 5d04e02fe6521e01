import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { movedClock } from "../../../testing/moved-clock";
import { waitForStore } from "../src/database/wait-for-store";
import { createLog } from "../src/monitoring/log";
import { requestLog } from "../src/monitoring/request-log";
import { breakableConnection } from "./breakable-connection";
import { cheapPasswords } from "./cheap-passwords";
import { databaseServers } from "./database-servers";
import { asManager, newTenant, newUser, runningService } from "./running-service";

/** Two of them are less than what a request may wait, three are more. */
const SLOW_MS = 6000;

function appWithRequests(): Hono {
	const log = createLog({ level: "silent", secrets: [] });
	const ignore = () => {};
	return new Hono().use(requestLog(log, () => "/", ignore)) as Hono;
}

/** An app in which each request waits for slow stores, until it has written five lines. */
function slowApp() {
	const clock = movedClock();
	const app = appWithRequests();
	const line = () =>
		waitForStore(async () => {
			clock.moveOn(SLOW_MS);
			return "line\n";
		});
	app.get("/stream", (c) => {
		let lines = 0;
		const body = new ReadableStream({
			async pull(controller) {
				lines += 1;
				if (lines > 5) controller.close();
				else controller.enqueue(new TextEncoder().encode(await line()));
			},
		});
		return c.body(body);
	});
	app.all("*", async (c) => {
		let text = "";
		for (let lines = 0; lines < 5; lines++) text += await line().catch(() => "late\n");
		return c.text(text);
	});
	return async (path: string) => (await app.request(path)).text();
}

const FIVE_LINES = "line\n".repeat(5);

test("a request waits for its stores until its time is used up, and then asks nothing", async () => {
	expect(await slowApp()("/api/auth/sign-in/email")).toBe("line\nline\nline\nlate\nlate\n");
});

test("a stream goes on after its response has begun", async () => {
	expect(await slowApp()("/stream")).toBe(FIVE_LINES);
});

test.each([
	"/api/auth/tenant/user/import?dryRun=true",
	"/api/auth/tenant/user/move",
	"/api/auth/tenant/delete",
	"/api/auth/tenant/scim/set-roles",
	"/service/tenant-file/export",
	"/service/tenant-file/import",
	"/t/acme/scim/v2/Groups/1",
	"/scim/v2/Groups?count=1",
])("%s works through many rows, and is not cut off", async (path) => {
	expect(await slowApp()(path)).toBe(FIVE_LINES);
});

test.each([
	"/api/auth/tenant/user/delete",
	"/api/auth/tenant/delete/",
	"/api/auth/sign-in/email?next=/api/auth/tenant/delete",
	"/t/acme/scim/v2/Users",
])("%s is cut off", async (path) => {
	expect(await slowApp()(path)).toContain("late");
});

test("waits at the same time count once", async () => {
	const clock = movedClock();
	const app = appWithRequests();
	app.get("/", async (c) => {
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const waits = [1, 2, 3].map(() => waitForStore(() => ended));
		clock.moveOn(SLOW_MS);
		end();
		await Promise.all(waits);
		return c.text(await waitForStore(async () => "in time"));
	});
	expect(await (await app.request("/")).text()).toBe("in time");
});

const serversOfThisRun = databaseServers.filter(({ isMissing }) => !isMissing);

for (const { name, createDatabase } of serversOfThisRun) {
	describe(`the time of a request on ${name}`, () => {
		async function slowService(config = {}) {
			const connection = await breakableConnection(await createDatabase());
			const clock = movedClock();
			const service = await runningService(
				{ DATABASE_URL: connection.url, DATABASE_POOL_SIZE: "2" },
				{ config: () => config },
			);
			const headers = { "x-tenant-id": await newTenant(service.post) };
			return {
				...service,
				connection,
				clock,
				headers,
				signUp: (email: string) => service.post("/tenant/sign-up/email", newUser(email), headers),
				signIn: (email: string) => service.post("/tenant/sign-in/email", newUser(email), headers),
				slowDown: () => connection.watchResponses(() => clock.moveOn(SLOW_MS)),
				speedUp: () => connection.watchResponses(() => {}),
			};
		}

		test("slow statements add up, and the request ends with 503", async () => {
			const { connection, signUp, signIn, slowDown, speedUp } = await slowService();
			slowDown();
			const start = connection.countSent();
			const late = await signUp("ada@example.com");
			// Three, what makes and ends a connection, and no more.
			expect(connection.countSent() - start).toBeLessThanOrEqual(6);
			speedUp();
			expect([late.status, late.headers.get("retry-after")]).toEqual([503, "5"]);
			expect(await late.json()).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
			expect(late.headers.getSetCookie()).toEqual([]);

			expect((await signIn("ada@example.com")).status).toBe(401);
			const before = connection.countSent();
			expect((await signUp("ada@example.com")).status).toBe(200);
			expect(connection.countSent() - before).toBeGreaterThan(6);
		});

		test("a transaction that is out of time is rolled back", async () => {
			const { connection, clock, signUp, signIn } = await slowService();
			let inserted = 0;
			connection.watchResponses((to) => {
				if (!/insert into .user./.test(to)) return;
				inserted += 1;
				clock.moveOn(3 * SLOW_MS);
			});
			expect((await signUp("ada@example.com")).status).toBe(503);
			expect(inserted).toBe(1);
			connection.watchResponses(() => {});
			expect((await signIn("ada@example.com")).status).toBe(401);
			expect((await signUp("ada@example.com")).status).toBe(200);
		});

		test("to hash a password uses up no time", async () => {
			let hash = cheapPasswords.hash;
			const { clock, signUp } = await slowService({
				passwords: { ...cheapPasswords, hash: (password: string) => hash(password) },
			});
			let hashes = 0;
			hash = (password) => {
				hashes += 1;
				clock.moveOn(100 * SLOW_MS);
				return cheapPasswords.hash(password);
			};
			expect((await signUp("ada@example.com")).status).toBe(200);
			expect(hashes).toBe(1);
		});

		test("an import and a job are not cut off", async () => {
			const { connection, post, headers, jobs, slowDown } = await slowService();
			slowDown();
			const start = connection.countSent();
			const tenantId = headers["x-tenant-id"];
			const users = ["ada", "grace"].map((id) => ({ externalId: id, email: `${id}@example.com` }));
			const imported = await post("/tenant/user/import", { tenantId, users }, asManager);
			expect(await imported.json()).toMatchObject({ created: 2, failed: 0 });
			expect(connection.countSent() - start).toBeGreaterThan(5);

			const beforeJob = connection.countSent();
			expect(await jobs.run("clean-up")).not.toBeNull();
			expect(connection.countSent() - beforeJob).toBeGreaterThan(5);
		});

		test("a frozen database holds no request, and no connection of it stays in the pool", async () => {
			const connection = await breakableConnection(await createDatabase());
			const environment = { DATABASE_URL: connection.url, DATABASE_POOL_SIZE: "2" };
			const tenantId = await newTenant((await runningService(environment)).post);
			const headers = { "x-tenant-id": tenantId };
			const { post, call } = await runningService(environment, {
				config: () => ({ storeTimeMs: 500 }),
			});
			const read = () => call(`/api/auth/tenant/login-options?tenantId=${tenantId}`);
			const requests: (() => Promise<Response>)[] = [
				read,
				() => post("/tenant/sign-up/email", newUser("ada@example.com"), headers),
				() => post("/tenant/create", { name: "B", slug: "globex" }, asManager),
			];
			const statusesOf = async (sent: typeof requests) =>
				(await Promise.all(sent.map((request) => request()))).map(({ status }) => status);
			// Better Auth looks at its tables first, and all requests wait for that.
			await expect.poll(() => statusesOf([read])).toEqual([200]);
			connection.freeze();
			// More than there are connections, some on those that were there before.
			const statuses = await statusesOf([...requests, ...requests]);
			statuses.push(...(await statusesOf(requests)));
			expect(statuses).toEqual(Array.from({ length: 9 }, () => 503));
			connection.thaw();
			await expect.poll(() => statusesOf([read, read])).toEqual([200, 200]);
		});
	});
}
