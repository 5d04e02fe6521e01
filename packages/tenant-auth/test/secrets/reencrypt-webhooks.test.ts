import { type BetterAuthOptions, betterAuth } from "better-auth";
import { reencryptStoredSecrets, tenantAuth } from "better-auth-tenant";
import { deliverWebhooks, tenantWebhooks } from "better-auth-tenant/webhooks";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../support/providers/webhook-receiver";
import { type Instance, makeInstance } from "../support/worlds/instance";

const older = "the secret that was in use until now, long enough";
const newest = "the secret that takes its place, long enough too!";
const secrets = [{ version: 1, value: newest }];

/** The same app on the same database, started again with other secrets. */
function restart({ options }: Instance, changed: Pick<BetterAuthOptions, "secret" | "secrets">) {
	const { secret: _, ...rest } = options;
	const plugins = [tenantAuth({ allowPrivateProviderHosts: true }), tenantWebhooks()];
	return betterAuth({ ...(rest as BetterAuthOptions), ...changed, plugins });
}

describe("a new secret of the server", () => {
	let receiver: Receiver;

	beforeAll(async () => {
		receiver = await startReceiver();
	});

	afterAll(() => receiver.close());

	it("encrypts the secrets of webhooks, so that the old one is not needed any more", async () => {
		const app = await makeInstance({
			secret: older,
			tenants: { allowPrivateProviderHosts: true },
		});
		const tenantId = await app.makeTenant();
		const create = { tenantId, url: receiver.url, eventTypes: ["tenant.suspended"] };
		const { body: webhook } = await app.manage("/tenant/webhook/create", { body: create });
		const rotate = { tenantId, webhookId: webhook.id };
		const rotated = await app.manage("/tenant/webhook/rotate-secret", { body: rotate });
		await app.manage("/tenant/suspend", { body: { tenantId } });

		const both = restart(app, { secret: older, secrets });
		const done = { total: 1, reencrypted: 1, unreadable: 0 };
		expect((await reencryptStoredSecrets(both)).tables.tenantWebhook).toEqual(done);
		const again = await reencryptStoredSecrets(both);
		expect(again.tables.tenantWebhook).toEqual({ ...done, reencrypted: 0 });

		expect(await deliverWebhooks(restart(app, { secrets }))).toMatchObject({ delivered: 1 });
		const { headers, body } = receiver.last();
		for (const secret of [webhook.secret, rotated.body.secret]) {
			expect(new Webhook(secret).verify(body, headers)).toMatchObject({ tenantId });
		}
	});

	it("reports a secret that cannot be decrypted, and needs a newer secret", async () => {
		const app = await makeInstance({ secret: older });
		const tenantId = await app.makeTenant();
		const url = "https://hooks.example.com/in";
		const create = { tenantId, url, eventTypes: ["tenant.suspended"] };
		const { body } = await app.manage("/tenant/webhook/create", { body: create });
		expect(await reencryptStoredSecrets(restart(app, { secrets }))).toMatchObject({
			reencrypted: 0,
			unreadable: [{ model: "tenantWebhook", tenantId, id: body.id }],
		});
		await expect(reencryptStoredSecrets(app.auth)).rejects.toThrow("no newer secret");
	});
});
