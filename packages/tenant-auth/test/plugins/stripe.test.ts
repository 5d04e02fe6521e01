import { organization } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { makeFakeStripe, stripePlugin } from "../support/providers/stripe";
import { EMAIL, PASSWORD } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const returnUrl = "/account";

async function setUp(options: object = {}) {
	const stripe = makeFakeStripe();
	const seen: (string | null)[] = [];
	const onEvent = async () => {
		seen.push(await getCurrentTenantId());
	};
	const plugins = [
		organization(),
		stripePlugin(stripe, { organization: { enabled: true }, onEvent }),
	];
	const app = await makeTwoUsers({ ...options, plugins });
	const { call, db } = app;
	const upgrade = (cookie: string, body: object = {}) =>
		call("/subscription/upgrade", { cookie, body: { plan: "pro", ...body } });
	const send = (type: string, object: unknown, tenant?: string) =>
		call("/stripe/webhook", { ...stripe.event(type, object), ...(tenant ? { tenant } : {}) });
	const rows = () => db.selectFrom("subscription").selectAll().execute();
	const rowOf = async (user: { body: { user: { id: string } } }) =>
		(await rows()).find(({ referenceId }) => referenceId === user.body.user.id);
	const list = async (cookie: string, query: Record<string, string> = {}) =>
		(await call("/subscription/list", { cookie, query })).body;
	/** Upgrades, and returns the checkout of Stripe. */
	const checkOut = async (cookie: string, body: object = {}) =>
		stripe.checkouts.get((await upgrade(cookie, body)).body.id) ?? { id: "none" };
	return { ...app, stripe, seen, upgrade, send, rows, rowOf, list, checkOut };
}

describe.each(orders)("the Stripe plugin, %s", (_, order) => {
	const world = useWorld(() => setUp(order()));

	it("makes a customer of its own for the same email in each tenant", async () => {
		const { stripe, db } = world();
		const users = await db.selectFrom("user").select(["id", "stripeCustomerId"]).execute();
		const owners = users.map(({ id, stripeCustomerId }) => [
			id,
			stripe.customers.get(String(stripeCustomerId))?.metadata,
		]);
		expect(owners).toEqual(
			users.map(({ id }) => [id, expect.objectContaining({ userId: id, customerType: "user" })]),
		);
		expect(new Set(users.map((it) => it.stripeCustomerId)).size).toBe(2);
	});

	it("refuses a new user who brings the customer of another tenant", async () => {
		const { a, ada, bob, call, db, stripe, send, rowOf } = world();
		const { stripeCustomerId } = await db
			.selectFrom("user")
			.select("stripeCustomerId")
			.where("id", "=", bob.body.user.id)
			.executeTakeFirstOrThrow();
		const body = { name: "Eve", email: "eve@example.com", password: PASSWORD, stripeCustomerId };
		for (const path of ["/sign-up/email", "/tenant/sign-up/email"]) {
			const answer = await call(path, { tenant: a, body });
			expect([answer.status, answer.body.code]).toEqual([401, "TENANT_MISMATCH"]);
		}
		// The events of the customer still find their tenant.
		const made = stripe.makeSubscription(String(stripeCustomerId));
		expect((await send("customer.subscription.created", made)).status).toBe(200);
		expect(await rowOf(bob)).toMatchObject({ stripeCustomerId, status: "active" });
		expect(await rowOf(ada)).toBeUndefined();
	});

	it("activates the subscription by a webhook that names no tenant, in the right tenant", async () => {
		const { a, b, ada, bob, checkOut, send, rowOf, list, seen } = world();
		const [ofAda, ofBob] = [await checkOut(ada.cookie), await checkOut(bob.cookie)];
		expect([(await rowOf(ada))?.status, (await rowOf(bob))?.status]).toEqual([
			"incomplete",
			"incomplete",
		]);
		const done = await send("checkout.session.completed", ofAda);
		expect([done.status, done.body]).toEqual([200, { success: true }]);
		expect(await rowOf(ada)).toMatchObject({
			status: "active",
			stripeSubscriptionId: ofAda.subscription,
		});
		expect((await rowOf(bob))?.status).toBe("incomplete");
		expect(await list(bob.cookie)).toEqual([]);
		await send("checkout.session.completed", ofBob);
		expect(await list(ada.cookie)).toMatchObject([{ referenceId: ada.body.user.id }]);
		expect(await list(bob.cookie)).toMatchObject([{ referenceId: bob.body.user.id }]);
		expect(seen).toEqual([a, b]);
	});

	it("updates, cancels, restores and ends a subscription in its tenant", async () => {
		const { a, ada, bob, stripe, checkOut, send, rowOf, call, list } = world();
		const checkout = await checkOut(ada.cookie);
		await send("checkout.session.completed", checkout);
		await send("checkout.session.completed", await checkOut(bob.cookie));
		const subscription = stripe.subscriptions.get(String(checkout.subscription));
		await send("customer.subscription.created", subscription);
		const cancelled = { ...subscription, cancel_at_period_end: true };
		await send("customer.subscription.updated", cancelled);
		expect([(await rowOf(ada))?.cancelAtPeriodEnd, (await rowOf(bob))?.cancelAtPeriodEnd]).toEqual([
			1, 0,
		]);
		const portal = await call("/subscription/cancel", { cookie: ada.cookie, body: { returnUrl } });
		expect(portal.body.url).toBe(`https://billing.example.com/${subscription?.customer}`);
		const restored = await call("/subscription/restore", { cookie: ada.cookie, body: {} });
		expect(restored.status).toBe(200);
		expect((await rowOf(ada))?.cancelAtPeriodEnd).toBe(0);
		await send("customer.subscription.deleted", subscription, a);
		expect([(await rowOf(ada))?.status, (await rowOf(bob))?.status]).toEqual([
			"canceled",
			"active",
		]);
		expect(await list(ada.cookie)).toEqual([]);
	});

	it("creates the subscription that an admin made in the dashboard of Stripe", async () => {
		const { a, bob, ada, db, stripe, send, rowOf, seen } = world();
		const [user] = await db
			.selectFrom("user")
			.select("stripeCustomerId")
			.where("tenantId", "=", a)
			.execute();
		const made = stripe.makeSubscription(String(user?.stripeCustomerId));
		await send("customer.subscription.created", made);
		expect(await rowOf(ada)).toMatchObject({ status: "active", stripeSubscriptionId: made.id });
		expect(await rowOf(bob)).toBeUndefined();
		expect(seen).toEqual([a]);
	});

	it("changes nothing for an event of a customer that no tenant has", async () => {
		const { stripe, send, rows, seen } = world();
		for (const type of ["created", "updated", "deleted"]) {
			const unknown = stripe.makeSubscription("cus_unknown");
			expect((await send(`customer.subscription.${type}`, unknown)).status).toBe(200);
		}
		expect((await send("invoice.paid", {})).status).toBe(200);
		expect(await rows()).toEqual([]);
		expect(seen).toEqual([null, null, null, null]);
	});

	it("refuses an event that names another tenant, or has a wrong signature", async () => {
		const { a, b, ada, call, stripe, checkOut, send, rowOf } = world();
		const checkout = await checkOut(ada.cookie);
		const foreign = await send("checkout.session.completed", checkout, b);
		expect([foreign.status, foreign.body.code]).toEqual([401, "TENANT_MISMATCH"]);
		const forged = stripe.event("checkout.session.completed", checkout, "whsec_of_somebody");
		expect((await call("/stripe/webhook", forged)).status).toBe(400);
		expect((await rowOf(ada))?.status).toBe("incomplete");
		expect((await send("checkout.session.completed", checkout, a)).status).toBe(200);
		expect((await rowOf(ada))?.status).toBe("active");
	});

	it("makes Stripe repeat an event of a suspended tenant until it is resumed", async () => {
		const { a, ada, manage, checkOut, send, rowOf } = world();
		const checkout = await checkOut(ada.cookie);
		await manage("/tenant/suspend", { body: { tenantId: a } });
		const refused = await send("checkout.session.completed", checkout);
		expect([refused.status, refused.body.code]).toEqual([403, "TENANT_SUSPENDED"]);
		expect((await rowOf(ada))?.status).toBe("incomplete");
		await manage("/tenant/resume", { body: { tenantId: a } });
		expect((await send("checkout.session.completed", checkout)).status).toBe(200);
		expect((await rowOf(ada))?.status).toBe("active");
	});

	it("deletes subscriptions with their tenant, and answers later events", async () => {
		const { a, ada, manage, checkOut, send, rows } = world();
		const checkout = await checkOut(ada.cookie);
		await manage("/tenant/delete", { body: { tenantId: a } });
		expect((await send("checkout.session.completed", checkout)).status).toBe(200);
		expect(await rows()).toEqual([]);
	});

	it("finishes a checkout in the tenant of the browser's session only", async () => {
		const { ada, bob, call, checkOut, rowOf } = world();
		const checkout = await checkOut(ada.cookie);
		const query = { callbackURL: "/done", checkoutSessionId: String(checkout.id) };
		await call("/subscription/success", { cookie: bob.cookie, query });
		expect((await rowOf(ada))?.status).toBe("incomplete");
		const done = await call("/subscription/success", { cookie: ada.cookie, query });
		expect([done.status, (await rowOf(ada))?.status]).toEqual([302, "active"]);
	});

	it("does not let B use A's reference, subscription or customer", async () => {
		const { ada, bob, call, checkOut, send, list, rowOf, upgrade } = world();
		const checkout = await checkOut(ada.cookie);
		await send("checkout.session.completed", checkout);
		const referenceId = ada.body.user.id;
		const before = await rowOf(ada);
		expect(await list(bob.cookie, { referenceId })).toEqual([]);
		const subscriptionId = String(checkout.subscription);
		for (const path of ["/subscription/cancel", "/subscription/restore"]) {
			const body = { referenceId, subscriptionId, returnUrl };
			expect((await call(path, { cookie: bob.cookie, body })).status).toBe(400);
		}
		expect((await upgrade(bob.cookie, { referenceId, subscriptionId })).status).toBe(400);
		const body = { referenceId };
		const portal = await call("/subscription/billing-portal", { cookie: bob.cookie, body });
		expect(portal.body.url).not.toContain(String(before?.stripeCustomerId));
		expect(await rowOf(ada)).toEqual(before);
	});

	it("keeps subscriptions of organizations in the tenant of the organization", async () => {
		const { a, ada, bob, call, checkOut, send, upgrade, seen, rows } = world();
		const made = await call("/organization/create", {
			cookie: ada.cookie,
			body: { name: "Guild", slug: "guild" },
		});
		const ofGuild = { customerType: "organization", referenceId: made.body.id };
		expect((await upgrade(bob.cookie, ofGuild)).body.code).toBe("ORGANIZATION_NOT_FOUND");
		await send("checkout.session.completed", await checkOut(ada.cookie, ofGuild));
		expect(await rows()).toMatchObject([{ referenceId: made.body.id, status: "active" }]);
		expect(seen).toEqual([a]);
	});

	it("gives no customer of one tenant to a user of another", async () => {
		const { stripe, signUp, makeTenant, db, call } = world();
		const customer = await stripe.client.customers.create({ email: "rich@example.com" });
		const tenants = [await makeTenant(), await makeTenant()];
		for (const tenantId of tenants) {
			const { cookie, body } = await signUp(tenantId, "rich@example.com");
			const own = { stripeCustomerId: null, emailVerified: 1 };
			await db.updateTable("user").set(own).where("id", "=", body.user.id).execute();
			await call("/subscription/upgrade", { cookie, body: { plan: "pro" } });
		}
		const users = await db
			.selectFrom("user")
			.select("id")
			.where("stripeCustomerId", "=", customer.id)
			.execute();
		expect(users).toHaveLength(1);
	});
});

it("works for users of the platform as without tenants", async () => {
	const { call, stripe, send, rows } = await setUp();
	const body = { name: "P", email: EMAIL, password: PASSWORD };
	const { cookie } = await call("/sign-up/email", { body });
	const { body: made } = await call("/subscription/upgrade", { cookie, body: { plan: "pro" } });
	await send("checkout.session.completed", stripe.checkouts.get(made.id));
	expect(await rows()).toMatchObject([{ status: "active" }]);
});
