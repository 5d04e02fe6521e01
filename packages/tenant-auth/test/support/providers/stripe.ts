import { type StripeOptions, stripe } from "@better-auth/stripe";
import Stripe from "stripe";

const WEBHOOK_SECRET = "whsec_of_the_tests";
const PRICE = "price_pro";

type Params = Record<string, string>;
type Stored = Record<string, unknown> & { id: string };

/** Stripe's HTTP API, as far as the plugin uses it, in memory. */
export function makeFakeStripe() {
	const customers = new Map<string, Stored>();
	const subscriptions = new Map<string, Stored>();
	const checkouts = new Map<string, Stored>();
	let made = 0;
	const nextId = (prefix: string) => `${prefix}_${++made}_of_stripe`;
	const list = (data: unknown[]) => ({ object: "list", data, has_more: false, url: "/" });

	const routes: [string, RegExp, (id: string, params: Params) => unknown][] = [
		["GET", /^customers\/search$/, (_, { query = "" }) => list(findByEmail(query))],
		["POST", /^customers$/, (_, params) => save(customers, "cus", params)],
		["GET", /^customers\/(\w+)$/, (id) => customers.get(id)],
		["POST", /^customers\/(\w+)$/, (id, params) => Object.assign(customers.get(id) ?? {}, params)],
		["GET", /^subscriptions$/, (_, { customer }) => list(subscriptionsOf(customer))],
		["GET", /^subscriptions\/(\w+)$/, (id) => subscriptions.get(id)],
		["POST", /^subscriptions\/(\w+)$/, (id) => subscriptions.get(id)],
		["GET", /^prices\/(\w+)$/, (id) => ({ id, object: "price", recurring: {} })],
		["POST", /^checkout\/sessions$/, (_, params) => checkOut(params)],
		["GET", /^checkout\/sessions\/(\w+)$/, (id) => checkouts.get(id)],
		[
			"POST",
			/^billing_portal\/sessions$/,
			(_, { customer }) => ({ url: `https://billing.example.com/${customer}` }),
		],
	];

	const findByEmail = (query: string) =>
		[...customers.values()].filter(({ email }) => query.includes(`email:"${email}"`));
	const subscriptionsOf = (customer?: string) =>
		[...subscriptions.values()].filter((it) => it.customer === customer);

	function save(into: Map<string, Stored>, prefix: string, params: Params): Stored {
		const id = nextId(prefix);
		const stored = { ...params, id, metadata: nested(params, "metadata") };
		into.set(id, stored);
		return stored;
	}

	/** The user pays at once, but no event was sent yet. */
	function checkOut(params: Params): Stored {
		const checkout = save(checkouts, "cs", params);
		const subscription = makeSubscription(
			String(params.customer),
			nested(params, "subscription_data[metadata]"),
		);
		return Object.assign(checkout, {
			object: "checkout.session",
			url: `https://checkout.example.com/${checkout.id}`,
			subscription: subscription.id,
			payment_status: "paid",
		});
	}

	function makeSubscription(customer: string, metadata: Params = {}): Stored {
		const id = nextId("sub");
		const now = Math.floor(Date.now() / 1000);
		const price = { id: PRICE, recurring: { interval: "month" } };
		const item = { id: nextId("si"), price, quantity: 1 };
		const period = { current_period_start: now, current_period_end: now + 86_400 };
		const subscription = {
			id,
			object: "subscription",
			customer,
			metadata,
			status: "active",
			cancel_at_period_end: false,
			items: list([{ ...item, ...period }]),
		};
		subscriptions.set(id, subscription);
		return subscription;
	}

	const answer = async (input: string | URL | Request, init: RequestInit = {}) => {
		const url = new URL(String(input instanceof Request ? input.url : input));
		const path = url.pathname.replace(/^\/v1\//, "");
		const method = init.method ?? "GET";
		const params = Object.fromEntries(new URLSearchParams(String(init.body ?? url.search)));
		for (const [wanted, pattern, handle] of routes) {
			const found = wanted === method ? pattern.exec(path) : null;
			const body = found && handle(found[1] ?? "", params);
			if (body) return Response.json(body);
		}
		const error = { message: `no ${method} ${path}`, code: "resource_missing" };
		return Response.json({ error }, { status: 404 });
	};
	const client = new Stripe("sk_test_of_the_tests", {
		httpClient: Stripe.createFetchHttpClient(answer as typeof fetch),
		maxNetworkRetries: 0,
		telemetry: false,
	});

	/** An event as Stripe sends it: a body, and the header that signs it. */
	function event(type: string, object: unknown, secret = WEBHOOK_SECRET) {
		const body = JSON.stringify({ id: nextId("evt"), object: "event", type, data: { object } });
		const signature = client.webhooks.generateTestHeaderString({ payload: body, secret });
		return { body, headers: { "stripe-signature": signature } };
	}

	return { client, customers, subscriptions, checkouts, makeSubscription, event };
}

export type FakeStripe = ReturnType<typeof makeFakeStripe>;

/** As an app would configure it. The app trusts whoever names a reference, so only isolation protects. */
export const stripePlugin = ({ client }: FakeStripe, options: Partial<StripeOptions> = {}) =>
	stripe({
		stripeClient: client,
		stripeWebhookSecret: WEBHOOK_SECRET,
		createCustomerOnSignUp: true,
		subscription: {
			enabled: true,
			plans: [{ name: "pro", priceId: PRICE }],
			authorizeReference: async () => true,
		},
		...options,
	} as StripeOptions);

function nested(params: Params, name: string): Params {
	const start = `${name}[`;
	return Object.fromEntries(
		Object.entries(params)
			.filter(([key]) => key.startsWith(start))
			.map(([key, value]) => [key.slice(start.length, -1), value]),
	);
}
