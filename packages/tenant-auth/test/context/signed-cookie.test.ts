import { makeSignature } from "better-auth/crypto";
import { createEndpoint } from "better-call";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSignedValue } from "../../src/call/context/presented-sessions";

const NAME = "better-auth.session_token";
const SECRET = "a secret of thirty-two characters or more";

/** As core reads it. */
const readByCore = createEndpoint("/read", { method: "GET", requireHeaders: true }, async (ctx) =>
	ctx.getSignedCookie(NAME, SECRET),
);

describe("a signed cookie", () => {
	it("has the value that core reads, or is left to core", async () => {
		const sign = async (value: string) => `${value}.${await makeSignature(value, SECRET)}`;
		const [own, other] = [encodeURIComponent(await sign("own")), await sign("other")];
		const mostly = (usual: string, ...others: string[]) =>
			fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
		const cookie = fc.tuple(
			mostly(NAME, ` ${NAME}`, `${NAME} `, `x${NAME}`, `x ${NAME}`, `${NAME}x`, "a", ""),
			mostly("=", " =", "= ", ""),
			mostly(own, other, `"${own}"`, `b ${NAME}=${own}`, `${own}x`, `x${own}`, `${own}%`, ""),
			mostly("; ", ";", " ; ", ", ", ";;"),
		);
		let found = 0;
		const property = fc.asyncProperty(
			fc.array(cookie, { minLength: 1, maxLength: 3 }),
			async (list) => {
				const cookies = list.flat().join("");
				const value = await findSignedValue(cookies, NAME, SECRET);
				if (value === null) return;
				found += 1;
				expect(value, cookies).toBe(
					await readByCore({ headers: new Headers({ cookie: cookies }) }),
				);
			},
		);
		await fc.assert(property, { numRuns: 1000, seed: 7 });
		expect(found).toBeGreaterThan(0);
	});
});
