import { deliverWebhooks } from "better-auth-tenant/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { type Receiver, startReceiver } from "../support/providers/webhook-receiver";
import { makeInstance } from "../support/worlds/instance";

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
