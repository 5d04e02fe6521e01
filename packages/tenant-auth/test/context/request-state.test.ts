import { describe, expect, it } from "vitest";
import { VERIFICATIONS } from "../../src/call/context/endpoint-rules";
import { RequestState, type TenantInstance } from "../../src/call/context/request-state";
import type { TenantRow } from "../../src/call/context/tenant";
import { ALL_TENANTS, PLATFORM, scopeOf } from "../../src/call/context/tenant";
import { collectFeatures } from "../../src/call/port/features";
import { resolveOptions } from "../../src/options";

const tenant = { id: "a", name: "A", slug: "a", erasingSince: null } as TenantRow;

function makeInstance() {
	const reads: string[] = [];
	const instance: TenantInstance = {
		readTenant: async (id) => {
			reads.push(id);
			return id === tenant.id ? tenant : null;
		},
		hasOtherHooks: false,
		isCommon: null,
		isBreached: async () => false,
		options: resolveOptions({}),
		context: {} as TenantInstance["context"],
		features: collectFeatures([], []),
		readTenantBySlug: async (slug) => {
			reads.push(`slug ${slug}`);
			return slug === tenant.slug ? tenant : null;
		},
		customHosts: null,
	};
	return { instance, reads };
}

describe("the state of a call", () => {
	it("starts pending: the session may decide", () => {
		const state = new RequestState(makeInstance().instance, null);
		expect([state.resolution, state.scope, state.sessionMayDecide]).toEqual([
			{ kind: "pending" },
			null,
			true,
		]);
	});

	it("has scope and tenant once it is resolved, and no session decides any more", () => {
		const state = new RequestState(makeInstance().instance, null);
		state.awaitToken("row", VERIFICATIONS, { sessionMayDecide: true });
		expect(state.sessionMayDecide).toBe(true);
		state.resolve(scopeOf(tenant), tenant);
		expect([state.scope, state.tenant, state.sessionMayDecide]).toEqual([
			{ tenantId: "a" },
			tenant,
			false,
		]);
	});

	it("forgets scope and accepted sessions at a reset, but not the rejected ones", () => {
		const state = new RequestState(makeInstance().instance, null);
		state.resolve(PLATFORM);
		state.acceptSession("accepted");
		state.rejectSession("rejected");
		state.reset();
		expect(state.resolution).toEqual({ kind: "pending" });
		expect(state.hasAccepted("accepted")).toBe(false);
		expect(state.hasRejected("rejected")).toBe(true);
	});

	it("is refused by an OAuth state or a session, with a scope for what that used up", () => {
		const state = new RequestState(makeInstance().instance, null);
		const scope = scopeOf(tenant);
		state.refuse(new Error("suspended"), "session", scope);
		expect(state.refusedScope("session")).toBe(scope);
		expect(state.refusedScope("oauth-state")).toBeNull();
		expect([state.scope, state.sessionMayDecide]).toEqual([null, false]);
	});

	it("does not read a tenant again that it found by its slug", async () => {
		const { instance, reads } = makeInstance();
		const state = new RequestState(instance, null);
		expect(await state.readTenantBySlug("a")).toBe(tenant);
		expect(await state.readTenant("a")).toBe(tenant);
		expect(await state.readTenantBySlug("b")).toBeNull();
		expect(reads).toEqual(["slug a", "slug b"]);
	});

	it("reads a tenant once, also for work inside of it", async () => {
		const { instance, reads } = makeInstance();
		const state = new RequestState(instance, null);
		const inside = new RequestState(instance, state, { inside: true, scope: ALL_TENANTS });
		expect(await Promise.all([state.readTenant("a"), inside.readTenant("a")])).toEqual([
			tenant,
			tenant,
		]);
		expect(reads).toEqual(["a"]);
		await new RequestState(instance, state).readTenant("a");
		expect(reads).toEqual(["a", "a"]);
	});

	it("reads a tenant again after a failure", async () => {
		let fails = true;
		const state = new RequestState(
			{
				...makeInstance().instance,
				readTenant: async () => {
					if (fails) throw new Error("the database is down");
					return tenant;
				},
			},
			null,
		);
		await expect(state.readTenant("a")).rejects.toThrow("down");
		fails = false;
		expect(await state.readTenant("a")).toBe(tenant);
	});
});
