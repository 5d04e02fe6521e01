import { describe, expect, it } from "vitest";
import { PLATFORM, type RequestScope, scopeOf, settle, unsettle } from "../src/context/scope";
import type { TenantRow } from "../src/tenants/tenant";

const tenant = { id: "a", name: "A", slug: "a" } as TenantRow;

/** What a request may know before its scope is settled, or settled anew. */
const before = (): RequestScope => ({
	scope: PLATFORM,
	settling: Promise.resolve(PLATFORM),
	awaits: "token",
	claim: { tenantId: "a", joins: false, check: async () => {} },
	ownTokens: new Set(["of the scope before"]),
	refusedTokens: new Set(["of another tenant"]),
});

describe("what is known of a request's scope", () => {
	it("is the new scope and its tenant once that is settled", () => {
		const request = before();
		settle(request, scopeOf(tenant), tenant);
		const { settling: _, ...known } = request;
		expect(known).toEqual({
			scope: { tenantId: "a" },
			tenant,
			refusedTokens: new Set(["of another tenant"]),
		});
	});

	it("is nothing of the old scope any more when something tells better", () => {
		const request = { ...before(), tenant };
		unsettle(request);
		expect(Object.keys(request).sort()).toEqual(["awaits", "claim", "refusedTokens"]);
	});
});
