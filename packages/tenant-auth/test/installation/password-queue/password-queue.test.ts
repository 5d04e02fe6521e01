import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { silenceErrors } from "../../support/processes/silent-errors";
import { heldPasswords } from "../../support/worlds/held-passwords";
import {
	type Instance,
	type InstanceOptions,
	makeInstance,
	ORIGIN,
} from "../../support/worlds/instance";

async function makeQueue(
	passwordQueue: { concurrency: number; maxWaitingPerTenant?: number; maxWaiting?: number } | false,
	options: InstanceOptions = {},
) {
	const passwords = heldPasswords();
	const { emailAndPassword } = passwords;
	const app = await makeInstance({ ...options, emailAndPassword, tenants: { passwordQueue } });
	return { app, passwords };
}

/** A sign-in of nobody. Its password says whose it is. */
function signIn({ call }: Instance, tenantId: string | null, password: string) {
	const body = { email: "nobody@example.com", password };
	return tenantId === null
		? call("/sign-in/email", { body })
		: call("/tenant/sign-in/email", { body: { ...body, tenantId } });
}

/** Sends one sign-in more than can wait: when it is refused, all the others do. */
async function fillPlaces(
	app: Instance,
	tenantId: string | null,
	password: string,
	places: number,
) {
	const answers = Array.from({ length: places + 1 }, () => signIn(app, tenantId, password));
	const refused = await Promise.race(answers.map(async (answer, n) => ({ ...(await answer), n })));
	expect(refused.status).toBe(429);
	const waiting = answers.filter((_, n) => n !== refused.n);
	const statuses = async () => (await Promise.all(waiting)).map(({ status }) => status).sort();
	return { firstAnswer: () => Promise.race(waiting), statuses };
}

async function rowsOf({ db }: Instance) {
	const tables = ["user", "account", "session"];
	return Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
}

silenceErrors();

describe("the queue before the password hash", () => {
	it("lets tenants take turns, the platform among them", async () => {
		const { app, passwords } = await makeQueue({ concurrency: 1, maxWaitingPerTenant: 2 });
		const [acme, globex] = [await app.makeTenant(), await app.makeTenant()];
		passwords.hold();
		const first = signIn(app, acme, "acme's");
		await passwords.untilBegun(1);
		const waiting = [
			await fillPlaces(app, acme, "acme's", 2),
			await fillPlaces(app, globex, "globex's", 2),
			await fillPlaces(app, null, "platform's", 2),
		];
		for (let served = 1; served < 7; served += 1) {
			passwords.endOne();
			await passwords.untilBegun(served + 1);
		}
		passwords.endAll();
		expect(passwords.begun).toEqual([
			"acme's",
			"globex's",
			"acme's",
			"platform's",
			"globex's",
			"acme's",
			"platform's",
		]);
		expect((await first).status).toBe(401);
		for (const { statuses } of notEmpty(waiting)) expect(await statuses()).toEqual([401, 401]);
	});

	it("serves a tenant next that has nothing under way, whatever another sends", async () => {
		const { app, passwords } = await makeQueue({ concurrency: 2, maxWaitingPerTenant: 5 });
		const [acme, globex] = [await app.makeTenant(), await app.makeTenant()];
		passwords.hold();
		const flood = [signIn(app, acme, "acme's"), signIn(app, acme, "acme's")];
		await passwords.untilBegun(2);
		const waiting = await fillPlaces(app, acme, "acme's", 5);
		const other = await fillPlaces(app, globex, "globex's", 5);
		passwords.endOne();
		await passwords.untilBegun(3);
		expect(passwords.begun).toEqual(["acme's", "acme's", "globex's"]);
		passwords.endAll();
		await Promise.all([...flood, waiting.statuses(), other.statuses()]);
	});

	it("hashes no more at once than it may", async () => {
		const { app, passwords } = await makeQueue({ concurrency: 2, maxWaitingPerTenant: 3 });
		const acme = await app.makeTenant();
		passwords.hold();
		const answers = [signIn(app, acme, "acme's"), signIn(app, acme, "acme's")];
		await passwords.untilBegun(2);
		const waiting = await fillPlaces(app, acme, "acme's", 3);
		expect(passwords.begun).toHaveLength(2);
		passwords.endAll();
		await Promise.all([...answers, waiting.statuses()]);
		expect(passwords.begun).toHaveLength(5);
	});

	it("refuses a sign-up that finds no place, and leaves nothing of it", async () => {
		const { app, passwords } = await makeQueue({ concurrency: 1, maxWaitingPerTenant: 0 });
		const [acme, globex] = [await app.makeTenant(), await app.makeTenant()];
		const before = await rowsOf(app);
		passwords.hold();
		const first = signIn(app, globex, "globex's");
		await passwords.untilBegun(1);
		const { status, body, headers, cookie } = await app.signUp(acme, "ada@example.com");
		expect([status, body.code]).toEqual([429, "PASSWORD_QUEUE_FULL"]);
		expect(headers.get("retry-after")).toBe("1");
		expect(cookie).toBe("");
		expect(await rowsOf(app)).toEqual(before);
		passwords.endAll();
		await first;
		expect((await app.signUp(acme, "ada@example.com")).status).toBe(200);
	});

	it("takes a place of the tenant that has most of them when all are taken", async () => {
		const limits = { concurrency: 1, maxWaitingPerTenant: 3, maxWaiting: 3 };
		const { app, passwords } = await makeQueue(limits);
		const [acme, globex] = [await app.makeTenant(), await app.makeTenant()];
		passwords.hold();
		const first = signIn(app, acme, "acme's");
		await passwords.untilBegun(1);
		const many = await fillPlaces(app, acme, "acme's", 3);
		const few = signIn(app, globex, "globex's");
		expect((await many.firstAnswer()).body.code).toBe("PASSWORD_QUEUE_FULL");
		passwords.endOne();
		await passwords.untilBegun(2);
		expect(passwords.begun).toEqual(["acme's", "globex's"]);
		passwords.endAll();
		expect((await few).status).toBe(401);
		expect(await many.statuses()).toEqual([401, 401, 429]);
		await first;
	});

	it("frees the place of a hash that fails", async () => {
		const { app, passwords } = await makeQueue({ concurrency: 1, maxWaitingPerTenant: 0 });
		const acme = await app.makeTenant();
		for (const password of ["fails once", "fails twice"]) {
			expect((await signIn(app, acme, password)).status).toBe(500);
		}
		expect((await signIn(app, acme, "acme's")).status).toBe(401);
		expect(passwords.begun).toEqual(["fails once", "fails twice", "acme's"]);
	});

	it("frees the place of a caller who is gone", async () => {
		const { app, passwords } = await makeQueue({ concurrency: 1, maxWaitingPerTenant: 1 });
		const acme = await app.makeTenant();
		const gone = new AbortController();
		const signInAndLeave = () =>
			app.auth.handler(
				new Request(`${ORIGIN}/api/auth/tenant/sign-in/email`, {
					method: "POST",
					headers: { "content-type": "application/json" },
					body: JSON.stringify({ tenantId: acme, email: "nobody@example.com", password: "gone's" }),
					signal: gone.signal,
				}),
			);
		passwords.hold();
		const first = signIn(app, acme, "acme's");
		await passwords.untilBegun(1);
		const leaving = [signInAndLeave(), signInAndLeave()];
		await Promise.race(leaving);
		gone.abort();
		await Promise.all(leaving);
		const waiting = await fillPlaces(app, acme, "acme's", 1);
		passwords.endAll();
		expect(await waiting.statuses()).toEqual([401]);
		expect((await first).status).toBe(401);
		expect(passwords.begun).toEqual(["acme's", "acme's"]);
	});

	it("lets a verification hash anew without waiting for itself", async () => {
		const app: Instance = await makeInstance({
			tenants: { passwordQueue: { concurrency: 1, maxWaiting: 0 } },
			emailAndPassword: {
				enabled: true,
				password: {
					hash: async (password) => `hash of ${password}`,
					async verify({ hash, password }) {
						const { password: passwords } = await app.auth.$context;
						return hash === (await passwords.hash(password));
					},
				},
			},
		});
		const acme = await app.makeTenant();
		await app.signUp(acme, "ada@example.com", "correct horse battery");
		const body = { tenantId: acme, email: "ada@example.com", password: "correct horse battery" };
		expect((await app.call("/tenant/sign-in/email", { body })).status).toBe(200);
	});

	it("is not there when it is off", async () => {
		// Without plugins that verify passwords in a form of their own.
		const { app, passwords } = await makeQueue(false, { features: false });
		const acme = await app.makeTenant();
		// The check of new passwords is around `hash`.
		const { verify } = (await app.auth.$context).password;
		expect(verify).toBe(passwords.emailAndPassword.password.verify);
		passwords.hold();
		const answers = Array.from({ length: 20 }, () => signIn(app, acme, "acme's"));
		await passwords.untilBegun(20);
		passwords.endAll();
		await Promise.all(answers);
	});

	it.each([
		{ concurrency: 0 },
		{ concurrency: 1.5 },
		{ maxWaiting: -1 },
		{ maxWaitingPerTenant: Number.POSITIVE_INFINITY },
	])("stops the start at %j", async (passwordQueue) => {
		await expect(makeInstance({ tenants: { passwordQueue } })).rejects.toThrow(
			`passwordQueue.${Object.keys(passwordQueue)[0]}`,
		);
	});
});
