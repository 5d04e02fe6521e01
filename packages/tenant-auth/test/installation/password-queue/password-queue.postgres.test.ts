import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { services } from "../../../../../testing/services";
import { openPostgres } from "../../support/databases/databases";
import { heldPasswords } from "../../support/worlds/held-passwords";
import { makeInstance } from "../../support/worlds/instance";

describe.skipIf(!services.postgres)("a crowd that signs up on PostgreSQL", () => {
	it("holds no connection while it waits for the password hash", async () => {
		const on = await openPostgres(String(services.postgres));
		const passwords = heldPasswords();
		const crowd = 12;
		const { makeTenant, signUp, call, db } = await makeInstance({
			on,
			emailAndPassword: passwords.emailAndPassword,
			tenants: { passwordQueue: { concurrency: crowd } },
		});
		const [tenantId, other] = [await makeTenant(), await makeTenant()];
		const { cookie } = await signUp(other, "ada@example.com");
		passwords.hold();
		const answers = Array.from({ length: crowd }, (_, n) => signUp(tenantId, `${n}@example.com`));
		// Three times as many as there are connections.
		await passwords.untilBegun(crowd);
		const session = await call("/get-session", { cookie });
		expect(session.body.user.email).toBe("ada@example.com");
		passwords.endAll();
		for (const { status } of notEmpty(await Promise.all(answers))) expect(status).toBe(200);
		expect(await db.selectFrom("user").selectAll().execute()).toHaveLength(crowd + 1);
		await on.close();
	});
});
