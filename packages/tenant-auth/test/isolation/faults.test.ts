import { randomUUID } from "node:crypto";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty, possiblyEmpty } from "../../../../testing/not-empty";
import { makeFaulty, readTables } from "../support/databases/faulty-database";
import { Browser } from "../support/http/browser";
import { silenceErrors } from "../support/processes/silent-errors";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { type Answer, makeInstance } from "../support/worlds/instance";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/worlds/social-app";

const password = "correct horse battery";

silenceErrors();

/** A tenant in which things go wrong, and another one that must not notice. */
async function makeWorld() {
	const tokens: string[] = [];
	const instance = await makeInstance({
		emailAndPassword: {
			...cheapPasswords,
			enabled: true,
			sendResetPassword: async ({ token }) => {
				tokens.push(token);
			},
		},
		user: { deleteUser: { enabled: true } },
		onAPIError: { onError: () => {} },
	});
	const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
	const bystander = await instance.signUp(other, "same@example.com");
	const secrets = [other, bystander.body.user.id, bystander.body.token, "disk I/O error"];
	const faulty = makeFaulty(instance.database);
	const rowsOfOther = () =>
		JSON.stringify(
			readTables(instance.database).map(({ rows }) =>
				rows.filter((row) => row.tenantId === other || row.id === other),
			),
		);
	return { ...instance, own, other, secrets, tokens, faulty, rowsOfOther };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

/** No account or session without its user, all in one tenant, and nobody without an account. */
function requireWhole({ database }: Pick<World, "database">, isLeaving = false): void {
	const tables = new Map(readTables(database).map(({ name, rows }) => [name, rows]));
	const rowsOf = (table: string) => {
		const rows = tables.get(table);
		if (!rows) throw new Error(`there is no table ${table}`);
		return rows;
	};
	const users = new Map(rowsOf("user").map((user) => [user.id, user]));
	for (const table of ["account", "session"]) {
		for (const row of possiblyEmpty(rowsOf(table))) {
			expect(users.get(row.userId)?.tenantId, `the user of ${JSON.stringify(row)}`).toBe(
				row.tenantId,
			);
		}
	}
	for (const id of possiblyEmpty(isLeaving ? [] : users.keys())) {
		expect(rowsOf("account").some((account) => account.userId === id)).toBe(true);
	}
}

/** Lets `attempt` fail at its first statement, then at its second, until it comes through. */
async function failAtEach<T>(
	world: World,
	prepare: (step: number) => Promise<T>,
	attempt: (prepared: T) => Promise<Answer>,
	check: (prepared: T, answer: Answer, failed: string) => Promise<void>,
	isLeaving = false,
): Promise<number> {
	for (let step = 1; ; step += 1) {
		const prepared = await prepare(step);
		const before = world.rowsOfOther();
		world.faulty.failAt(step);
		const answer = await attempt(prepared);
		const failed = world.faulty.stop();
		if (!failed) {
			expect(answer.status).toBe(200);
			return step;
		}
		const told = JSON.stringify([answer.body, [...answer.headers]]);
		for (const secret of notEmpty(world.secrets)) expect(told, failed).not.toContain(secret);
		expect(world.rowsOfOther()).toBe(before);
		requireWhole(world, isLeaving);
		await check(prepared, answer, failed);
		requireWhole(world);
		expect(world.rowsOfOther()).toBe(before);
	}
}

const people = () => `${randomUUID()}@example.com`;

describe("when the database fails at any one statement, nothing half-made stays", () => {
	it.each([
		["/tenant/sign-up/email", false],
		["/sign-up/email", true],
	])("of a sign-up at %s, and trying again works", async (path, named) => {
		const world = await makeWorld();
		const signUp = (email: string) =>
			world.call(path, {
				body: { name: "User", email, password, ...(named ? {} : { tenantId: world.own }) },
				...(named ? { tenant: world.own } : {}),
			});
		const steps = await failAtEach(
			world,
			async () => people(),
			signUp,
			async (email, first, failed) => {
				expect(first.status, failed).toBeGreaterThanOrEqual(400);
				expect(first.cookie, failed).toBe("");
				expect((await signUp(email)).status, failed).toBe(200);
			},
		);
		expect(steps).toBeGreaterThan(5);
	});

	it("of a sign-in, and trying again works", async () => {
		const world = await makeWorld();
		const email = people();
		await world.signUp(world.own, email);
		const signIn = () =>
			world.call("/tenant/sign-in/email", { body: { tenantId: world.own, email, password } });
		const sessions = () => readTables(world.database).find(({ name }) => name === "session");
		let count = sessions()?.rows.length;
		await failAtEach(
			world,
			async () => {
				count = sessions()?.rows.length;
			},
			signIn,
			async (_, first, failed) => {
				expect(first.status, failed).toBeGreaterThanOrEqual(500);
				expect(first.cookie, failed).toBe("");
				expect(sessions()?.rows.length, failed).toBe(count);
				expect((await signIn()).status).toBe(200);
			},
		);
	});

	it("of a password reset, and asking again works", async () => {
		const world = await makeWorld();
		const ask = (email: string) =>
			world.call("/request-password-reset", { body: { email }, tenant: world.own });
		const reset = (newPassword: string) =>
			world.call("/reset-password", { body: { token: world.tokens.at(-1), newPassword } });
		const signIn = (email: string, password: string) =>
			world.call("/tenant/sign-in/email", { body: { tenantId: world.own, email, password } });
		const askedFor = async () => {
			const email = people();
			await world.signUp(world.own, email);
			return email;
		};
		await failAtEach(world, askedFor, ask, async (email, _, failed) => {
			expect((await ask(email)).status, failed).toBe(200);
			expect((await reset("a new password")).status, failed).toBe(200);
			expect((await signIn(email, "a new password")).status, failed).toBe(200);
		});
		await failAtEach(
			world,
			async () => {
				const email = await askedFor();
				await ask(email);
				return email;
			},
			() => reset("a new password"),
			async (email, _, failed) => {
				const works = await Promise.all(
					[password, "a new password"].map(async (it) => (await signIn(email, it)).status),
				);
				expect(works.sort(), failed).toEqual([200, 401]);
				await ask(email);
				expect((await reset("a newer password")).status, failed).toBe(200);
				expect((await signIn(email, "a newer password")).status, failed).toBe(200);
			},
		);
	});

	it("of the deletion of a user, and the user can still finish it", async () => {
		const world = await makeWorld();
		const signUp = async () => {
			const email = people();
			return { email, ...(await world.signUp(world.own, email)) };
		};
		const remove = ({ cookie }: { cookie: string }) =>
			world.call("/delete-user", { body: { password }, cookie });
		const signIn = (email: string) =>
			world.call("/tenant/sign-in/email", { body: { tenantId: world.own, email, password } });
		const finish = async (user: Awaited<ReturnType<typeof signUp>>, _: Answer, failed: string) => {
			const again = await signIn(user.email);
			if (again.status === 200) expect((await remove(again)).status, failed).toBe(200);
			const left = readTables(world.database).flatMap(({ rows }) =>
				rows.filter((row) => [row.id, row.userId].includes(user.body.user.id)),
			);
			expect(left, failed).toEqual([]);
		};
		await failAtEach(world, signUp, remove, finish, true);
	});

	it("of the deletion of a tenant, and trying again works", async () => {
		const world = await makeWorld();
		const populated = async () => {
			const tenantId = await world.makeTenant();
			await world.signUp(tenantId, "same@example.com");
			return tenantId;
		};
		const remove = (tenantId: string) => world.manage("/tenant/delete", { body: { tenantId } });
		for (let step = 1; ; step += 1) {
			const tenantId = await populated();
			const before = world.rowsOfOther();
			world.faulty.failAt(step);
			const first = await remove(tenantId);
			const failed = world.faulty.stop();
			if (!failed) break;
			for (const secret of notEmpty(world.secrets))
				expect(JSON.stringify(first.body)).not.toContain(secret);
			expect([200, 404], failed).toContain((await remove(tenantId)).status);
			// The audit log outlives the tenant: who deleted it is asked afterwards.
			const tables = readTables(world.database).filter(
				({ name }) => !["tenantAuditEvent", "tenantFormerSlug"].includes(name),
			);
			expect(JSON.stringify(tables), failed).not.toContain(tenantId);
			expect(world.rowsOfOther()).toBe(before);
		}
	});
});

describe("when the database fails at any one statement of a social callback", () => {
	let gitlab: IdentityProvider;
	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
	});
	afterAll(() => gitlab.close());

	it("nothing half-made stays, and signing in again works", async () => {
		const sqlite = new Database(":memory:");
		const app = await makeSocialApp({ sqlite, onAPIError: { onError: () => {} } });
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const faulty = makeFaulty(sqlite);
		const rowsOf = (table: string) =>
			readTables(sqlite).find(({ name }) => name === table)?.rows ?? [];
		for (let step = 1; ; step += 1) {
			const as = gitlab.addPerson({ email: people() });
			const { browser, url } = await beginSocial(app, { tenantId, provider: "gitlab" });
			const until = (it: URL) => it.pathname.includes("/tenant/callback/");
			const back = await browser.follow(url, { as, until });
			faulty.failAt(step);
			const ended = await browser.follow(back.url);
			const failed = faulty.stop();
			if (!failed) {
				expect((await readSession(browser))?.user).toMatchObject({ email: as.email, tenantId });
				break;
			}
			const told = `${ended.url.href} ${ended.page}`;
			for (const secret of [other.tenantId, other.client.clientId, "disk I/O error"]) {
				expect(told, failed).not.toContain(secret);
			}
			requireWhole({ database: sqlite });
			const again = await beginSocial(app, { tenantId, provider: "gitlab" }, new Browser(app));
			await again.browser.follow(again.url, { as });
			expect((await readSession(again.browser))?.user, failed).toMatchObject({
				email: as.email,
				tenantId,
			});
			expect(rowsOf("user").filter(({ email }) => email === as.email)).toHaveLength(1);
		}
		expect(rowsOf("user").every((user) => user.tenantId === tenantId)).toBe(true);
	});
});
