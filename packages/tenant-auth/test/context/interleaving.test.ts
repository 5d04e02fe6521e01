import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { possiblyEmpty } from "../../../../testing/not-empty";
import { TEST_ALL } from "../../../../testing/services";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { type Answer, makeInstance } from "../support/worlds/instance";

const TENANTS = 4;
const PEOPLE = 3;
const passwordIn = (tenantId: string) => `the password in ${tenantId}`;
const emailOf = (person: number) => `person${person}@example.com`;

/** Several tenants with the same people. All names and secrets contain the id of the tenant. */
async function makeWorld() {
	const mails: { token: string; userTenant: unknown; tenantId: string | undefined }[] = [];
	const instance = await makeInstance({
		emailAndPassword: {
			...cheapPasswords,
			enabled: true,
			sendResetPassword: async (mail) => {
				const { tenant, user } = mail as typeof mail & { tenant?: { id: string } };
				const userTenant = (user as { tenantId?: string }).tenantId;
				mails.push({ token: mail.token, userTenant, tenantId: tenant?.id });
			},
		},
		user: { additionalFields: { note: { type: "string", required: false } } },
	});
	const { call, manage, makeTenant } = instance;
	const tenants: string[] = [];
	const cookies = new Map<string, string>();
	for (let n = 0; n < TENANTS; n += 1) {
		const tenantId = await makeTenant();
		tenants.push(tenantId);
		const config = { tenantId, providerId: "google", clientId: `client of ${tenantId}` };
		await manage("/tenant/oauth-config/register", { body: { ...config, clientSecret: "secret" } });
		for (let person = 0; person < PEOPLE; person += 1) {
			const body = {
				name: `Of ${tenantId}`,
				email: emailOf(person),
				password: passwordIn(tenantId),
			};
			const { cookie } = await call("/sign-up/email", { body, tenant: tenantId });
			cookies.set(`${tenantId} ${person}`, cookie);
		}
	}
	return { ...instance, tenants, cookies, mails };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

interface Act {
	kind: number;
	tenant: number;
	/** May be another tenant. */
	named: number;
	person: number;
	nonce: number;
}

type Kind = (world: World, act: Act, tenantId: string, named: string) => Promise<void>;

/** Expects that an answer contains nothing of another tenant. */
function expectOnly(world: World, { body, headers }: Answer, tenantId: string | null): void {
	const sent = JSON.stringify([body, [...headers]]);
	for (const other of possiblyEmpty(world.tenants))
		if (other !== tenantId) expect(sent).not.toContain(other);
}

const cookieOf = ({ cookies }: World, tenantId: string, { person }: Act) =>
	String(cookies.get(`${tenantId} ${person}`));

const kinds: Kind[] = [
	// Sign up with an email that other tenants may use at the same time.
	async (world, { nonce }, tenantId) => {
		const body = {
			name: `Of ${tenantId}`,
			email: `new${nonce % 50}@example.com`,
			password: passwordIn(tenantId),
		};
		const answer = await world.call("/sign-up/email", { body, tenant: tenantId });
		expect([200, 422]).toContain(answer.status);
		if (answer.status === 200) expect(answer.body.user.tenantId).toBe(tenantId);
		expectOnly(world, answer, tenantId);
	},
	// Sign in with the password of the same or of another tenant.
	async (world, { person }, tenantId, named) => {
		const body = { email: emailOf(person), password: passwordIn(named) };
		const answer = await world.call("/tenant/sign-in/email", { body: { ...body, tenantId } });
		expect(answer.status).toBe(tenantId === named ? 200 : 401);
		if (answer.status === 200) expect(answer.body.session.tenantId).toBe(tenantId);
		expectOnly(world, answer, tenantId);
	},
	// Read the session, and name the same or another tenant.
	async (world, act, tenantId, named) => {
		const cookie = cookieOf(world, tenantId, act);
		const answer = await world.call("/get-session", { cookie, tenant: named });
		if (tenantId === named) expect(answer.body.user).toMatchObject({ tenantId });
		else expect(answer.body).toBeNull();
		expectOnly(world, answer, tenantId);
	},
	// Read the session without naming a tenant.
	async (world, act, tenantId) => {
		const answer = await world.call("/get-session", { cookie: cookieOf(world, tenantId, act) });
		expect(answer.body.session).toMatchObject({ tenantId });
		expect(answer.body.user).toMatchObject({ tenantId, name: `Of ${tenantId}` });
		expectOnly(world, answer, tenantId);
	},
	// Change the own user.
	async (world, act, tenantId, named) => {
		const answer = await world.call("/update-user", {
			body: { note: `written in ${tenantId}` },
			cookie: cookieOf(world, tenantId, act),
			tenant: named,
		});
		expect(answer.status).toBe(tenantId === named ? 200 : 401);
		expectOnly(world, answer, tenantId);
	},
	// List the own sessions and accounts.
	async (world, act, tenantId) => {
		for (const path of ["/list-sessions", "/list-accounts"]) {
			const answer = await world.call(path, { cookie: cookieOf(world, tenantId, act) });
			expect(answer.status).toBe(200);
			expect(answer.body.length).toBeGreaterThan(0);
			expectOnly(world, answer, tenantId);
		}
	},
	// Request a password reset, and use it in the same or another tenant.
	async (world, { person }, tenantId, named) => {
		const answer = await world.call("/request-password-reset", {
			body: { email: emailOf(person) },
			tenant: tenantId,
		});
		expectOnly(world, answer, tenantId);
		const mail = world.mails.filter((it) => it.tenantId === tenantId).at(-1);
		const body = { token: mail?.token, newPassword: passwordIn(tenantId) };
		const reset = await world.call("/reset-password", { body, tenant: named });
		// Another request may have used the same token before.
		expect(tenantId === named ? [200, 400] : [400]).toContain(reset.status);
		expectOnly(world, reset, tenantId);
	},
	// Start a social sign-in.
	async (world, _, tenantId) => {
		const body = { provider: "google" };
		const { body: started } = await world.call("/sign-in/social", { body, tenant: tenantId });
		const clientId = new URL(started.url).searchParams.get("client_id");
		expect(clientId).toBe(`client of ${tenantId}`);
	},
	// Sign in without a tenant and a session.
	async (world, { person }, tenantId) => {
		const body = { email: emailOf(person), password: passwordIn(tenantId) };
		const answer = await world.call("/sign-in/email", { body });
		expect(answer.status).toBe(401);
		expectOnly(world, answer, null);
	},
];

const act = fc.record({
	kind: fc.nat(kinds.length - 1),
	tenant: fc.nat(TENANTS - 1),
	named: fc.nat(TENANTS - 1),
	person: fc.nat(PEOPLE - 1),
	nonce: fc.nat(1_000_000),
});

/** Runs all acts at the same time. */
async function runTogether(world: World, acts: Act[]): Promise<void> {
	const run = acts.map((act) => {
		const [tenantId, named] = [world.tenants[act.tenant], world.tenants[act.named]];
		return kinds[act.kind]?.(world, act, String(tenantId), String(named));
	});
	const failed = (await Promise.allSettled(run)).find((it) => it.status === "rejected");
	if (failed) throw failed.reason;
	await expectConsistentRows(world);
}

/** Expects that each row belongs to the same tenant as its user. */
async function expectConsistentRows({ db, tenants, mails }: World): Promise<void> {
	const users = await db.selectFrom("user").selectAll().execute();
	const tenantOfUser = new Map(users.map((user) => [user.id, user.tenantId]));
	for (const { tenantId, name, note } of possiblyEmpty(users)) {
		expect(tenants).toContain(tenantId);
		expect(name).toBe(`Of ${tenantId}`);
		if (note) expect(note).toBe(`written in ${tenantId}`);
	}
	for (const table of ["session", "account"]) {
		for (const row of possiblyEmpty(await db.selectFrom(table).selectAll().execute())) {
			expect(row.tenantId).toBe(tenantOfUser.get(row.userId));
			if (row.password) expect(row.password).toBe(`hash of ${passwordIn(String(row.tenantId))}`);
		}
	}
	for (const row of possiblyEmpty(await db.selectFrom("verification").selectAll().execute())) {
		expect(tenants).toContain(row.tenantId);
		if (tenantOfUser.has(row.value)) expect(tenantOfUser.get(row.value)).toBe(row.tenantId);
	}
	for (const { tenantId, userTenant } of possiblyEmpty(mails)) expect(userTenant).toBe(tenantId);
	const keys = users.map(({ tenantId, email }) => `${tenantId} ${email}`);
	expect(new Set(keys).size).toBe(keys.length);
}

describe("requests of several tenants that run in random order", () => {
	it("read and change only their own tenant", async () => {
		const world = await makeWorld();
		await fc.assert(
			fc.asyncProperty(fc.array(act, { maxLength: 40 }), (acts) => runTogether(world, acts)),
			{ numRuns: 10 },
		);
	});

	it("read and change only their own tenant if hundreds run at the same time", async () => {
		const world = await makeWorld();
		await runTogether(world, fc.sample(act, TEST_ALL ? 1000 : 150));
	});
});
