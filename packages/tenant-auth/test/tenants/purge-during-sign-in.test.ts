import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { type Instance, makeInstance } from "../support/worlds/instance";

const email = "ada@example.com";
const password = "correct horse battery";

/** Stops whoever comes by, once, until it is opened. */
function makeGate() {
	let isClosed = false;
	let open = () => {};
	let arrive = () => {};
	let opened = Promise.resolve();
	return {
		close() {
			isClosed = true;
			opened = new Promise((resolve) => {
				open = resolve;
			});
			return new Promise<void>((resolve) => {
				arrive = resolve;
			});
		},
		async pass() {
			if (!isClosed) return;
			isClosed = false;
			arrive();
			await opened;
		},
		open: () => open(),
	};
}

/** Signs in, and deletes the tenant at the moment when the sign-in stands at the gate. */
async function deleteDuringSignIn(instance: Instance, gate: ReturnType<typeof makeGate>) {
	const tenantId = await instance.makeTenant();
	await instance.signUp(tenantId, email);
	const arrived = gate.close();
	const signingIn = instance.call("/tenant/sign-in/email", { body: { tenantId, email, password } });
	await arrived;
	const erased = await instance.manage("/tenant/delete", { body: { tenantId } });
	expect(erased.status).toBe(200);
	gate.open();
	return signingIn;
}

describe("a sign-in to a tenant that is deleted meanwhile", () => {
	it.each(["active-sessions-", ""])(
		"leaves no session in a secondary storage, stopped at a key that begins with '%s'",
		async (beginning) => {
			const storage = makeMemoryStorage();
			const gate = makeGate();
			const keys = new Set<string>();
			const instance = await makeInstance({
				secondaryStorage: {
					...storage,
					set: async (key, value, ttl) => {
						if (key.startsWith("active-sessions-") === (beginning !== "")) await gate.pass();
						keys.add(key);
						return storage.set(key, value, ttl);
					},
				},
			});
			const { status, body, cookie } = await deleteDuringSignIn(instance, gate);
			expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
			expect(cookie).toBe("");
			for (const key of notEmpty(keys)) expect(await storage.get(key), key).toBeNull();
		},
	);

	it("is refused where sessions are in the database", async () => {
		const gate = makeGate();
		const instance = await makeInstance({
			databaseHooks: { session: { create: { before: () => gate.pass() } } },
		});
		instance.database.exec("PRAGMA foreign_keys = ON");
		const { status, body } = await deleteDuringSignIn(instance, gate);
		expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		expect(await instance.db.selectFrom("session").selectAll().execute()).toEqual([]);
	});
});
