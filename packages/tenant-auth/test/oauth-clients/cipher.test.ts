import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type CredentialBinding,
	decryptCredential,
	encryptCredential,
} from "../../src/management/oauth-clients/cipher";

const logger = { error: () => undefined } as unknown as Parameters<
	typeof decryptCredential
>[0]["logger"];
const secret = fc.string({ minLength: 32, maxLength: 64 });
const text = fc.string({ unit: "binary" });
const binding: fc.Arbitrary<CredentialBinding> = fc.record({
	tenantId: text,
	providerId: text,
	field: fc.constantFrom("clientId", "clientSecret"),
});
/** Pairs that a careless way of joining the parts would mix up. */
const neighbors = binding.chain((one) =>
	fc
		.constantFrom(
			{ ...one, tenantId: `${one.tenantId}${one.providerId}`, providerId: "" },
			{ ...one, tenantId: one.providerId, providerId: one.tenantId },
			{ ...one, tenantId: `${one.tenantId}","${one.providerId}` },
			{ ...one, tenantId: `${one.tenantId} ` },
			{
				...one,
				field: one.field === "clientId" ? "clientSecret" : "clientId",
			} as CredentialBinding,
		)
		.map((other) => [one, other] as const),
);
const failed = { body: { code: "OAUTH_CREDENTIAL_DECRYPT_FAILED" } };

const isSame = (one: CredentialBinding, other: CredentialBinding) =>
	one.tenantId === other.tenantId &&
	one.providerId === other.providerId &&
	one.field === other.field;

describe("the credential cipher", () => {
	it("opens what it sealed, whatever the text", async () => {
		await fc.assert(
			fc.asyncProperty(secret, binding, text, async (secretConfig, bound, value) => {
				const sealed = await encryptCredential({ secretConfig }, bound, value);
				expect(await decryptCredential({ secretConfig, logger }, bound, sealed)).toBe(value);
			}),
		);
	});

	it("opens it in no other row or column", async () => {
		const pairs = fc.oneof(fc.tuple(binding, binding), neighbors);
		await fc.assert(
			fc.asyncProperty(secret, pairs, text, async (secretConfig, [one, other], value) => {
				fc.pre(!isSame(one, other));
				const sealed = await encryptCredential({ secretConfig }, one, value);
				await expect(
					decryptCredential({ secretConfig, logger }, other, sealed),
				).rejects.toMatchObject(failed);
			}),
			{ numRuns: 200 },
		);
	});

	it("opens it with no other secret", async () => {
		await fc.assert(
			fc.asyncProperty(secret, secret, binding, text, async (one, other, bound, value) => {
				fc.pre(one !== other);
				const sealed = await encryptCredential({ secretConfig: one }, bound, value);
				await expect(
					decryptCredential({ secretConfig: other, logger }, bound, sealed),
				).rejects.toMatchObject(failed);
			}),
		);
	});

	it("opens nothing that was changed, and nothing that it did not seal", async () => {
		await fc.assert(
			fc.asyncProperty(secret, binding, text, fc.nat(), async (secretConfig, bound, value, at) => {
				const sealed = await encryptCredential({ secretConfig }, bound, value);
				const index = at % sealed.length;
				const digit = sealed[index] === "0" ? "1" : "0";
				const changed = `${sealed.slice(0, index)}${digit}${sealed.slice(index + 1)}`;
				for (const wrong of [changed, sealed.slice(0, -2), `${sealed}00`, value, ""]) {
					await expect(
						decryptCredential({ secretConfig, logger }, bound, wrong),
					).rejects.toMatchObject(failed);
				}
			}),
		);
	});
});
