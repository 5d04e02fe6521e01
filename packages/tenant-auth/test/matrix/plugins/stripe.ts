import { expect } from "vitest";
import { type FakeStripe, makeFakeStripe, stripePlugin } from "../../support/providers/stripe";
import { answers, type Outcome, type PluginMatrix, refused } from "./matrix";

type Own = Record<"checkoutId" | "subscriptionId" | "customerId", string>;

const stripes = new WeakMap<object, FakeStripe>();
const findStripe = ({ options }: { options: object }) => {
	const found = [...stripesOf(options)].map((it) => stripes.get(it)).find(Boolean);
	if (!found) throw new Error("this world has no Stripe");
	return found;
};
const stripesOf = (options: object) =>
	"plugins" in options && Array.isArray(options.plugins) ? (options.plugins as object[]) : [];

const notFound = refused(400, "SUBSCRIPTION_NOT_FOUND");
const returnUrl = "/account";
const url = (customer: (own: Own) => string): Outcome<Own> =>
	answers(({ a }) => expect.objectContaining({ url: expect.stringContaining(customer(a)) }));

export const stripeMatrix: PluginMatrix<Own> = {
	plugin: "@better-auth/stripe",
	options: () => {
		const stripe = makeFakeStripe();
		const plugin = stripePlugin(stripe);
		stripes.set(plugin, stripe);
		return { plugins: [plugin] };
	},
	async make(maker) {
		const stripe = findStripe(maker);
		const { body } = await maker.as("/subscription/upgrade", { body: { plan: "pro" } });
		const checkout = stripe.checkouts.get(body.id);
		await maker.call("/stripe/webhook", stripe.event("checkout.session.completed", checkout));
		return {
			checkoutId: body.id,
			subscriptionId: String(checkout?.subscription),
			customerId: String(checkout?.customer),
		};
	},
	rows: {
		upgradeSubscription: [
			{
				tries: "changes A's subscription",
				call: ({ a: { userId: referenceId, subscriptionId } }) => ({
					path: "/subscription/upgrade",
					body: { plan: "pro", seats: 5, referenceId, subscriptionId },
				}),
				by: "user",
				gets: notFound,
				own: url(({ customerId }) => customerId),
			},
		],
		cancelSubscription: [
			{
				tries: "cancels A's subscription",
				call: ({ a: { userId: referenceId, subscriptionId } }) => ({
					path: "/subscription/cancel",
					body: { referenceId, subscriptionId, returnUrl },
				}),
				by: "user",
				gets: notFound,
				own: url(({ customerId }) => customerId),
			},
		],
		restoreSubscription: [
			{
				tries: "restores A's subscription",
				call: ({ a: { userId: referenceId, subscriptionId } }) => ({
					path: "/subscription/restore",
					body: { referenceId, subscriptionId },
				}),
				by: "user",
				gets: notFound,
				own: refused(400, "SUBSCRIPTION_NOT_PENDING_CHANGE"),
			},
		],
		listActiveSubscriptions: [
			{
				tries: "lists A's subscriptions",
				call: ({ a }) => ({ path: "/subscription/list", query: { referenceId: a.userId } }),
				by: "user",
				gets: answers(() => []),
				own: answers(({ a }) => [expect.objectContaining({ referenceId: a.userId })]),
			},
		],
		createBillingPortal: [
			{
				tries: "opens A's billing portal",
				call: ({ a }) => ({
					path: "/subscription/billing-portal",
					body: { referenceId: a.userId, returnUrl },
				}),
				by: "user",
				gets: answers(({ b }) =>
					expect.objectContaining({ url: expect.stringContaining(b.customerId) }),
				),
				own: url(({ customerId }) => customerId),
			},
		],
		subscriptionSuccess: [
			{
				tries: "finishes A's checkout",
				call: ({ a }) => ({
					path: "/subscription/success",
					query: { callbackURL: "/done", checkoutSessionId: a.checkoutId },
				}),
				by: "anyone",
				ofHost: true,
				gets: ({ status }) => expect(status).toBe(302),
				own: ({ status }) => expect(status).toBe(302),
			},
		],
		stripeWebhook: [
			{
				tries: "sends an event about A's subscription",
				call: (world) => {
					const stripe = findStripe(world);
					const subscription = stripe.subscriptions.get(world.a.subscriptionId);
					return {
						path: "/stripe/webhook",
						...stripe.event("customer.subscription.updated", subscription),
					};
				},
				by: "holder",
				gets: refused(401, "TENANT_MISMATCH"),
				own: answers(() => ({ success: true })),
				signedOut: true,
			},
		],
	},
};
