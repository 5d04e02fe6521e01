import { describe, expect, it } from "vitest";
import { atOnce, countOf, type Lack, RACERS, type Stage } from "./stage";

export function describeOAuthConfigs(stage: Stage, lacks: readonly Lack[]): void {
	const register = (body: object) =>
		stage.instance.manage("/tenant/oauth-config/register", { body });
	const list = async (tenantId: string) =>
		(await stage.instance.manage("/tenant/oauth-config/list", { query: { tenantId } })).body;

	describe("OAuth configs", () => {
		it.skipIf(lacks.includes("unique indexes"))(
			"are one after a race of upserts, and all are told so",
			async () => {
				const tenantId = await stage.instance.makeTenant();
				const config = { tenantId, providerId: "google", clientSecret: "secret" };
				const answers = await atOnce((n) => register({ ...config, clientId: `client-${n}` }));
				expect(countOf(answers, 200)).toBe(RACERS);
				expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
				const configs = await list(tenantId);
				expect(configs).toHaveLength(1);
				expect(configs[0].clientId).toMatch(/^client-\d+$/);
			},
		);

		it("are told of by the answer to their own upsert, whatever else the tenant has", async () => {
			const { makeTenant } = stage.instance;
			const [other, tenantId] = [await makeTenant(), await makeTenant()];
			const registerAt = (tenantId: string, providerId: string, clientId: string) =>
				register({ tenantId, providerId, clientId, clientSecret: "secret", scopes: [clientId] });
			for (const providerId of ["github", "google", "gitlab"]) {
				await registerAt(other, providerId, "others");
				await registerAt(tenantId, providerId, "first");
			}
			for (const providerId of ["gitlab", "google", "github"]) {
				const { body } = await registerAt(tenantId, providerId, "second");
				expect(body).toMatchObject({
					tenantId,
					providerId,
					clientId: "second",
					scopes: ["second"],
				});
			}
			const clientIds = (await list(tenantId)).map((it: { clientId: string }) => it.clientId);
			expect(clientIds).toEqual(Array(3).fill("second"));
		});

		it("are sealed at rest, each for its own row", async () => {
			const { makeTenant } = stage.instance;
			const [one, other] = [await makeTenant(), await makeTenant()];
			for (const tenantId of [one, other]) {
				await register({
					tenantId,
					providerId: "github",
					clientId: "the client",
					clientSecret: "the secret",
				});
			}
			const [mine] = await stage.rows.find("tenantOauthConfig", "tenantId", one);
			const [theirs] = await stage.rows.find("tenantOauthConfig", "tenantId", other);
			expect(JSON.stringify(mine)).not.toMatch(/the (client|secret)/);
			expect(mine?.clientSecret).not.toBe(theirs?.clientSecret);
			expect(await list(one)).toMatchObject([{ clientId: "the client" }]);
		});

		it("are deleted once, in their own tenant", async () => {
			const { makeTenant, manage } = stage.instance;
			const [one, other] = [await makeTenant(), await makeTenant()];
			for (const tenantId of [one, other]) {
				await register({
					tenantId,
					providerId: "github",
					clientId: "client",
					clientSecret: "secret",
				});
			}
			const remove = (providerId = "github") =>
				manage("/tenant/oauth-config/delete", { body: { tenantId: one, providerId } });
			for (const other of ["GITHUB", "github ", "gîthub", "google"]) {
				expect((await remove(other)).status, other).toBe(404);
			}
			expect((await remove()).status).toBe(200);
			const again = await remove();
			expect([again.status, again.body.code]).toEqual([404, "OAUTH_CONFIG_NOT_FOUND"]);
			expect(await list(one)).toEqual([]);
			expect(await list(other)).toHaveLength(1);
		});

		it("keep the longest values that are accepted", async () => {
			const tenantId = await stage.instance.makeTenant();
			const config = {
				tenantId,
				providerId: "google",
				clientId: "c".repeat(1024),
				clientSecret: "🚀".repeat(4096),
				scopes: Array.from({ length: 64 }, (_, n) => `${n}`.padEnd(256, "s")),
				redirectURI: `https://example.com/${"p".repeat(2000)}`,
			};
			const { status, body } = await register(config);
			expect(status).toBe(200);
			const { clientSecret: _, ...visible } = config;
			expect(body).toMatchObject(visible);
			expect(await list(tenantId)).toEqual([body]);
		});
	});
}
