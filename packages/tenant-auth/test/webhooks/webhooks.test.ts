import { deliverWebhooks } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqlite } from "../support/databases";
import { makeInstance } from "../support/instance";
import { expectRefusal } from "../support/refusal";
import { describeWebhooks } from "../support/webhook-behaviors";
import { type Receiver, startReceiver } from "../support/webhook-receiver";

describe("webhooks on SQLite", () => describeWebhooks(openSqlite));

describe("a webhook", () => {
	// MariaDB has a shorter column for the name. Our own path limits it, core's does not.
	it("gets a user whose name is longer than an event may be", async () => {
		const app = await makeInstance();
		const tenantId = await app.makeTenant();
		const webhook = { tenantId, url: "https://hooks.example.com/in", eventTypes: ["user.created"] };
		await app.manage("/tenant/webhook/create", { body: webhook });
		const body = { name: "x".repeat(61_000), email: "long@example.com", password: "long enough" };
		expect((await app.call("/sign-up/email", { body, tenant: tenantId })).status).toBe(200);
		const query = { tenantId };
		const { body: deliveries } = await app.manage("/tenant/webhook/delivery/list", { query });
		expect(JSON.parse(deliveries[0].payload).data.name).toBe("x".repeat(320));
	});
});

describe("the address of a webhook", () => {
	it.each([
		"http://hooks.example.com/in",
		"https://127.0.0.1/in",
		"https://localhost/in",
		"https://[::1]/in",
		"https://10.0.0.1/in",
		"https://169.254.169.254/latest",
		"https://receiver.internal/in",
		"https://user:password@hooks.example.com/in",
		"https://hooks.example.com/in#part",
		"ftp://hooks.example.com/in",
		"file:///etc/passwd",
		"not a URL",
	])("must not be %s", async (url) => {
		const app = await makeInstance();
		const tenantId = await app.makeTenant();
		const eventTypes = ["user.created"];
		const body = { tenantId, url, eventTypes };
		expectRefusal(await app.manage("/tenant/webhook/create", { body }), 400, "VALIDATION_ERROR");
		const good = { ...body, url: "https://hooks.example.com/in?to=me" };
		const { body: webhook } = await app.manage("/tenant/webhook/create", { body: good });
		const change = { tenantId, webhookId: webhook.id, url };
		expectRefusal(
			await app.manage("/tenant/webhook/update", { body: change }),
			400,
			"VALIDATION_ERROR",
		);
	});

	describe("that was public", () => {
		let receiver: Receiver;

		beforeAll(async () => {
			receiver = await startReceiver();
		});

		afterAll(() => receiver.close());

		it("is checked again when it is used", async () => {
			const app = await makeInstance();
			const tenantId = await app.makeTenant();
			const url = "https://hooks.example.com/in";
			const body = { tenantId, url, eventTypes: ["tenant.suspended"] };
			const { body: webhook } = await app.manage("/tenant/webhook/create", { body });
			await app.manage("/tenant/suspend", { body: { tenantId } });
			await app.db.updateTable("tenantWebhook").set({ url: receiver.url }).execute();
			expect(await deliverWebhooks(app.auth)).toMatchObject({ delivered: 0, failed: 1 });
			const test = { tenantId, webhookId: webhook.id };
			const answer = await app.manage("/tenant/webhook/test", { body: test });
			expect(answer.body.error).toBe("The host name leads to no public server");
			expect(receiver.received).toEqual([]);
		});
	});
});

describe("the secret of a webhook", () => {
	it("opens in its own row only", async () => {
		const app = await makeInstance();
		const tenantId = await app.makeTenant();
		const create = async () => {
			const body = {
				...{ tenantId, url: "https://hooks.example.com/in" },
				eventTypes: ["user.created"],
			};
			return (await app.manage("/tenant/webhook/create", { body })).body;
		};
		const [one, two] = [await create(), await create()];
		const { secret } = await app.db
			.selectFrom("tenantWebhook")
			.select("secret")
			.where("id", "=", two.id)
			.executeTakeFirstOrThrow();
		await app.db.updateTable("tenantWebhook").set({ secret }).where("id", "=", one.id).execute();
		const body = { tenantId, webhookId: one.id };
		const answer = await app.manage("/tenant/webhook/test", { body });
		expect(answer.body).toMatchObject({
			state: "failed",
			responseStatus: null,
			error: "The stored secret cannot be decrypted",
		});
	});
});
